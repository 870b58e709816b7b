// Loads the tables into a running server, reads them back by key and by filter and compares every
// value, merges, and compares again. Usage: node load.mjs [server], default http://localhost:8080.
// Stores of the same names are dropped first.

import assert from 'node:assert/strict';
import { answered, schema, tables } from './tables.mjs';

const ROWS_A_REQUEST = 2000;
const CONNECTIONS = 4;
const api = `${process.argv[2] ?? process.env.CONTEXT_STORE ?? 'http://localhost:8080'}/api/v1/generic`;

let loaded = 0;
let seconds = 0;
for (const table of tables) {
  const rows = table.read();
  await call('DELETE', `/${table.store}`, undefined, [204, 404]);
  await call('POST', '', { name: table.store, schema: schema(table) }, [201]);

  const start = performance.now();
  await append(table.store, rows);
  const took = (performance.now() - start) / 1000;
  loaded += rows.length;
  seconds += took;
  console.log(`${table.store}: ${rows.length} rows in ${took.toFixed(1)} s`);

  await check(table, rows);
  const { reclaimed } = await call('POST', `/${table.store}/merge-wal`, undefined, [200]);
  console.log(`  merged ${reclaimed} generation(s) into the Lance table`);
  await check(table, rows);
}
console.log(`Loaded and checked ${loaded} rows (${Math.round(loaded / seconds)} rows/s).`);

async function append(store, rows) {
  let next = 0;
  const connection = async () => {
    while (next < rows.length) {
      const batch = rows.slice(next, (next += ROWS_A_REQUEST));
      const { count } = await call('POST', `/${store}/rows`, { rows: batch }, [201]);
      assert.equal(count, batch.length);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

async function check(table, rows) {
  const expected = new Map(rows.map((row) => [row.id, answered(table, row)]));
  const ids = [...expected.keys()].sort();
  const every = (n) => ids.filter((_, i) => i % Math.ceil(ids.length / n) === 0);
  const url = (query) => `/${table.store}/rows?${new URLSearchParams(query)}`;

  const all = await list(url({}));
  same(byId(all), ids.map((id) => expected.get(id)));

  for (const id of every(50)) {
    const row = await call('GET', `/${table.store}/rows/${encodeURIComponent(id)}`, undefined, [200]);
    same([row], [expected.get(id)]);
  }
  await call('GET', `/${table.store}/rows/no-such-id`, undefined, [404]);

  const keys = every(1000);
  const many = await call('POST', `/${table.store}/get-rows`, { ids: [...keys, 'no-such-id'] }, [200]);
  same(many.rows, keys.map((id) => expected.get(id)));

  const found = await list(url({ filter: table.filter }));
  const wanted = rows.filter(table.matches).map((row) => expected.get(row.id));
  assert.ok(wanted.length > 0 && wanted.length < rows.length);
  same(byId(found), byId(wanted));

  const page = await list(url({ limit: 10, offset: 100, columns: 'id' }));
  same(page, ids.slice(100, 110).map((id) => ({ id })));

  console.log(
    `  same values: all ${all.length}, by key ${every(50).length} + ${many.rows.length}, ` +
      `by filter ${found.length}, a page of ${page.length}`,
  );
}

/** As one comparison of the whole, but its message is the first row that differs. */
function same(actual, expected) {
  expected.forEach((row, i) => assert.deepEqual(actual[i], row));
  assert.equal(actual.length, expected.length);
}

async function list(path) {
  return (await call('GET', path, undefined, [200])).rows;
}

function byId(rows) {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function call(method, path, body, statuses) {
  const response = await fetch(api + path, {
    method,
    headers: body && { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  }).catch((cause) => {
    throw new Error(`no answer from ${api}; is the server running?`, { cause });
  });
  const text = await response.text();
  assert.ok(statuses.includes(response.status), `${method} ${path}: ${response.status} ${text}`);
  return text && JSON.parse(text);
}
