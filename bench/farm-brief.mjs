/**
 * The cost of a question about a whole farm compared with one about a probe: `farm_overview`,
 * `morning_brief` and the page of 200 probes with a year of hourly readings at three depths
 * (5,256,000 readings), against `advise_watering` of one of them. ACEQUIA_BENCH_PROBES and
 * ACEQUIA_BENCH_DAYS give other sizes. Before each measured call either a watering is logged, which
 * changes one probe, or a reading of every probe is imported, after which all have to be computed.
 */
import { Client } from './client.mjs';
import { figure, inTurn, median } from './figures.mjs';
import { importReadings, inFolder, newFarm, sidesOfBuilds } from './program.mjs';
import { rounds, sized } from './sizes.mjs';

const PROBES = Number(process.env.ACEQUIA_BENCH_PROBES ?? sized(200, 2));
const DEPTHS = [15, 30, 50];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const END = Date.UTC(2026, 6, 1, 6);
const DAYS = Number(process.env.ACEQUIA_BENCH_DAYS ?? sized(365, 2));
const HOURS = DAYS * 24;
const PARCEL_PROBES = 10;

const parcelOf = (index) => `Block ${Math.floor(index / PARCEL_PROBES) + 1}`;

const farm = {
  company: { name: 'Mas Rouge', timezone: 'Europe/Paris' },
  users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
  parcels: Array.from({ length: Math.ceil(PROBES / PARCEL_PROBES) }, (_, index) => ({
    name: parcelOf(index * PARCEL_PROBES),
    type: ['Peach', 'Vine', 'Almond'][index % 3],
    soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 80 }],
    installation: {
      system: 'drip',
      emitterFlowLph: 1.6,
      emittersPerM2: 2,
      irrigatedAreaM2: 20_000,
    },
  })),
  modules: Array.from({ length: PROBES }, (_, index) => ({
    uid: `P${index + 1}`,
    name: `Probe ${index + 1}`,
    category: 'SOIL_PROBE',
    parcel: parcelOf(index),
    commissionedAt: '2025-01-01T00:00:00Z',
    sensors: DEPTHS.map((depth) => ({ type: 'humidity', depth })),
    settings: { rootDepthCm: 60 },
  })),
};

/** Waterings every four to eight days; the soil dries by day, faster near the surface. */
function moistureAt(at, index) {
  const days = at / DAY_MS + index * 0.37;
  const daylight = Math.min(1, Math.max(0, ((at % DAY_MS) / HOUR_MS - 5) / 12));
  const dried = Math.floor(days % (4 + (index % 5))) + (1 - Math.cos(Math.PI * daylight)) / 2;
  const wet = 30 + ((index * 7) % 9);
  return DEPTHS.map((_, depth) => (wet + depth - dried * (1.6 - 0.4 * depth)).toFixed(1));
}

const HEADER = `module,time,${DEPTHS.map((depth) => `humidity_${depth}`).join(',')}\n`;

const rowOf = (at, index, values = moistureAt(at, index)) =>
  `P${index + 1},${new Date(at).toISOString()},${values.join(',')}\n`;

/** The reading of the last half hour, with other values each time. */
function* csvOfNewest(count) {
  yield HEADER;
  for (let index = 0; index < PROBES; index++)
    yield rowOf(END - HOUR_MS / 2, index, moistureAt(END - count * HOUR_MS, index));
}

function* csvOfReadings() {
  yield HEADER;
  for (let index = 0; index < PROBES; index++) {
    let block = '';
    for (let hour = HOURS; hour > 0; hour--) block += rowOf(END - hour * HOUR_MS, index);
    yield block;
  }
}

const ADVICES = sized(20, 1);

/** A build on a farm of its own. */
async function openFarm(folder, binary) {
  const db = await newFarm(folder, binary, farm);
  await importReadings(db, csvOfReadings(), { binary });
  const client = await new Client([
    binary,
    '--db',
    db,
    '--clock',
    new Date(END).toISOString(),
  ]).open();

  const timed = async (name, args) => {
    const startedMs = performance.now();
    await client.call(name, args);
    return performance.now() - startedMs;
  };

  let logged = 0;
  const logWatering = () => {
    const startedAt = new Date(END - DAY_MS - ++logged * 60_000).toISOString();
    return client.call('log_watering', {
      module: `#${(logged % PROBES) + 1}`,
      startedAt,
      inputMode: 'duration',
      durationMin: 1,
      status: 'done',
    });
  };

  const advice = async () => {
    const times = [];
    for (let call = 0; call < ADVICES; call++) {
      await logWatering();
      times.push(await timed('advise_watering', { module: `#${(logged % PROBES) + 1}` }));
    }
    return median(times);
  };
  let imported = 0;
  const importNewest = () => importReadings(db, csvOfNewest(++imported), { binary });
  const write = { logWatering, importNewest };
  return {
    advice,
    answerAfter: (change, name) => async () => {
      await write[change]();
      return timed(name, {});
    },
    close: () => client.kill(),
  };
}

const ANSWERS = sized(['farm_overview', 'morning_brief', 'get_farm_page'], ['get_farm_page']);
const CHANGES = {
  logWatering: 'after a watering',
  importNewest: 'after a reading of each',
};

await inFolder(async (folder) => {
  const farms = await sidesOfBuilds((binary) => openFarm(folder, binary));
  const history = DAYS === 365 ? 'a year' : `${DAYS} days`;
  for (const name of ANSWERS)
    for (const [change, when] of Object.entries(CHANGES)) {
      const answers = Object.entries(farms).map(([side, { answerAfter }]) => [
        side,
        answerAfter(change, name),
      ]);
      const times = await inTurn(rounds(10), {
        baseline: farms.measured.advice,
        ...Object.fromEntries(answers),
      });
      figure({
        what: `\`${name}\` of a farm of ${PROBES} probes with ${history} of hourly readings at three depths, ${when}, p50`,
        against: '`advise_watering` of one of them',
        unit: 'ms',
        ...times,
        target: 15,
      });
    }
  for (const { close } of Object.values(farms)) await close();
});
