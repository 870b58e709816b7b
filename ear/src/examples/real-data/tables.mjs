// The tables of vega-datasets that the example loads. For each: the file, the columns of its store,
// how a record of the file becomes a row, and a filter, in SQL and as the same question to the file.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { csvParse } from 'd3-dsv';

const data = path.join(
  path.dirname(createRequire(import.meta.url).resolve('vega-datasets')),
  '../data',
);

export const tables = [
  {
    // An Arrow file; its records have no key, so they get their number.
    store: 'flights',
    columns: { id: 'string!', delay: 'int32', distance: 'int32', time: 'float32' },
    read: () => {
      const table = tableFromIPC(readFileSync(path.join(data, 'flights-200k.arrow')));
      const [delay, distance, time] = ['delay', 'distance', 'time'].map((name) =>
        table.getChild(name).toArray(),
      );
      return Array.from({ length: table.numRows }, (_, i) => ({
        id: numbered(i, 6),
        delay: delay[i],
        distance: distance[i],
        time: time[i],
      }));
    },
    filter: 'delay > 120 AND distance BETWEEN 200 AND 300',
    matches: (row) => row.delay > 120 && row.distance >= 200 && row.distance <= 300,
  },
  {
    // Dates as text: "2001/01/01 00:47".
    store: 'flights-by-date',
    columns: {
      id: 'string!',
      date: 'timestamp',
      delay: 'int32',
      distance: 'int32',
      origin: 'string',
      destination: 'string',
    },
    read: () =>
      json('flights-20k.json').map((flight, i) => ({
        id: numbered(i, 5),
        ...flight,
        date: flight.date.replaceAll('/', '-').replace(' ', 'T') + ':00Z',
      })),
    filter: "date < '2001-01-02T00:00:00Z' AND origin IN ('DTW', 'HNL')",
    matches: (row) => row.date < '2001-01-02' && ['DTW', 'HNL'].includes(row.origin),
  },
  {
    // Nulls everywhere, titles that are numbers, dates as "Jun 12 1998", blanks in column names.
    store: 'movies',
    columns: {
      id: 'string!',
      Title: 'string',
      'US Gross': 'int64',
      'Worldwide Gross': 'int64',
      'US DVD Sales': 'int64',
      'Production Budget': 'int64',
      'Release Date': 'timestamp',
      'MPAA Rating': 'string',
      'Running Time min': 'int32',
      Distributor: 'string',
      Source: 'string',
      'Major Genre': 'string',
      'Creative Type': 'string',
      Director: 'string',
      'Rotten Tomatoes Rating': 'int32',
      'IMDB Rating': 'float64',
      'IMDB Votes': 'int32',
    },
    read: () =>
      json('movies.json').map((movie, i) => ({
        id: numbered(i, 4),
        ...movie,
        Title: movie.Title === null ? null : String(movie.Title),
        'Release Date': new Date(`${movie['Release Date']} UTC`).toISOString(),
      })),
    filter: `"IMDB Rating" >= 8.5 AND Director IS NULL AND NOT (Title LIKE 'The %')`,
    matches: (row) =>
      row['IMDB Rating'] >= 8.5 && row.Director === null && row.Title?.startsWith('The ') === false,
  },
  {
    store: 'cars',
    columns: {
      id: 'string!',
      Name: 'string',
      Miles_per_Gallon: 'float64',
      Cylinders: 'int32',
      Displacement: 'float64',
      Horsepower: 'int32',
      Weight_in_lbs: 'int32',
      Acceleration: 'float64',
      Year: 'timestamp',
      Origin: 'string',
    },
    read: () =>
      json('cars.json').map((car, i) => ({
        id: numbered(i, 3),
        ...car,
        Year: `${car.Year}T00:00:00Z`,
      })),
    filter: "Horsepower IS NULL OR (Origin = 'Japan' AND Miles_per_Gallon > 40)",
    matches: (row) =>
      row.Horsepower === null || (row.Origin === 'Japan' && row.Miles_per_Gallon > 40),
  },
  {
    // GeoJSON with a key of its own; times are milliseconds, a store has microseconds.
    store: 'earthquakes',
    columns: {
      id: 'string!',
      time: 'timestamp',
      mag: 'float64',
      place: 'string',
      felt: 'int32',
      alert: 'string',
      position: 'list of float64',
    },
    read: () =>
      json('earthquakes.json').features.map(({ id, properties, geometry }) => ({
        id,
        time: properties.time * 1000,
        mag: properties.mag,
        place: properties.place,
        felt: properties.felt,
        alert: properties.alert,
        position: geometry.coordinates,
      })),
    filter: "mag >= 5 OR alert = 'green'",
    matches: (row) => row.mag >= 5 || row.alert === 'green',
  },
  {
    // CSV, with quoted fields.
    store: 'airports',
    columns: {
      id: 'string!',
      name: 'string',
      city: 'string',
      state: 'string',
      country: 'string',
      latitude: 'float64',
      longitude: 'float64',
    },
    read: () =>
      csvParse(text('airports.csv')).map(({ iata, latitude, longitude, ...texts }) => ({
        id: iata,
        ...texts,
        latitude: Number(latitude),
        longitude: Number(longitude),
      })),
    filter: "state = 'AK' AND latitude > 68",
    matches: (row) => row.state === 'AK' && row.latitude > 68,
  },
];

/** The schema that the server wants: a list of [name, {type, ...}]. */
export function schema({ columns }) {
  return {
    columns: Object.entries(columns).map(([name, type]) => {
      const [base, item] = type.replace('!', '').split(' of ');
      return [name, { type: base, nullable: !type.endsWith('!'), ...(item && { item }) }];
    }),
  };
}

/** The row as the server answers it: no nulls, times as microseconds, floats in their shortest form. */
export function answered({ columns }, row) {
  const values = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    values.map(([name, value]) => {
      if (columns[name] === 'timestamp' && typeof value === 'string') {
        return [name, Date.parse(value) * 1000];
      }
      return [name, columns[name] === 'float32' ? shortest(value) : value];
    }),
  );
}

/** The shortest number that is the same in 32 bits: 0.016666668, not 0.01666666753590107. */
function shortest(value) {
  for (let digits = 6; ; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === Math.fround(value)) {
      return shorter;
    }
  }
}

function json(file) {
  return JSON.parse(text(file));
}

function text(file) {
  return readFileSync(path.join(data, file), 'utf8');
}

function numbered(i, digits) {
  return String(i).padStart(digits, '0');
}
