// Opens the Lance tables of load.mjs in LanceDB, which knows nothing of this server, counts the
// rows and compares their ids. Run it on the server's machine. Usage: node verify-lance.mjs [server].

import path from 'node:path';
import { connect } from '@lancedb/lancedb';
import { tables } from './tables.mjs';

const server = process.argv[2] ?? process.env.CONTEXT_STORE ?? 'http://localhost:8080';

for (const table of tables) {
  const { uri } = await (await fetch(`${server}/api/v1/generic/${table.store}`)).json();
  const database = await connect(path.dirname(uri));
  const lance = await database.openTable(path.basename(uri, '.lance'));

  const expected = new Set(table.read().map((row) => row.id));
  const counted = await lance.countRows();
  const ids = new Set((await lance.query().select(['id']).toArray()).map((row) => row.id));

  console.log(`${table.store}: LanceDB counts ${counted} rows, loaded were ${expected.size}`);
  if (counted !== expected.size || ids.size !== counted || [...ids].some((id) => !expected.has(id))) {
    console.error(`${table.store}: LanceDB sees other rows than were loaded`);
    process.exitCode = 1;
  }
}
