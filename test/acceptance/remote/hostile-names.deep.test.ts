import { beforeAll, describe, expect, it } from 'vitest';
import { UNIT_SYSTEMS, type UnitSystem } from '../../../src/domain/units.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import { afterFile } from '../../cleanup.ts';
import { callEveryTool } from '../../mcp/every-tool-call.ts';
import {
  harmless,
  hostile,
  importRenamedFarm,
  NAMES,
  type Rename,
  renamed,
  withHostileNames,
} from '../../mcp/renamed-farm.ts';
import { callsOfOperation, type FarmRows, type WireFields } from '../../operation-calls.ts';
import { recordedAnswer } from '../../recorded/recorded-answer.ts';
import { withoutRandomness } from '../../recorded/recording.ts';
import { STOPPED_CLOCK } from '../advice/recorded/farm-program.ts';
import { bodyOf, connectForFile, type McpSession } from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import { createTestKey, startServing } from '../rest-service.ts';
import { mcpHttpSurface, restRequest, storeForFile } from '../test-surfaces.ts';

/** In the farm after all calls; the first of each kind has hostile names. */
const ROWS = { module: 1, parcel: 1, event: 1, height: 16.5, moisture: 25 } as FarmRows;

/** Of which each request has another, as has the length of escaped remarks. */
const HEADERS_OF_REQUESTS = /^(?:date|etag|x-request-id|acequia-request-id|content-length)$/;

async function served(units: UnitSystem, rename: Rename) {
  const db = await storeForFile();
  await importRenamedFarm(db, units, rename);
  const options = ['--rate-limit', '0', '--clock', CLOCK];
  const { base } = await startServing(db, options, { env: STOPPED_CLOCK, after: afterFile });
  const { key } = await createTestKey(db, '--surface', 'mcp');
  return { base, key };
}
type ServedFarm = Awaited<ReturnType<typeof served>>;

const remoteSession = ({ base, key }: ServedFarm): Promise<McpSession> =>
  connectForFile(['--remote', base, '--clock', CLOCK, '--lang', 'en'], {
    env: { ...STOPPED_CLOCK, ACEQUIA_API_KEY: key },
  });

async function localSession(units: UnitSystem, rename: Rename): Promise<McpSession> {
  const db = await storeForFile();
  await importRenamedFarm(db, units, rename);
  return connectForFile(['--db', db, '--clock', CLOCK, '--lang', 'en'], { env: STOPPED_CLOCK });
}

/** All that the tools say; a picture by its texts alone, because its names are drawn. */
async function saidBy(session: McpSession, rename: Rename): Promise<readonly Json[]> {
  const said: Json[] = [];
  await callEveryTool(async (name, args = {}): Promise<Json> => {
    const result = await session.call(name, renamed(args, rename));
    const { picture: _, ...answer } = withoutRandomness(recordedAnswer(result));
    said.push({ name, ...answer });
    return bodyOf(result);
  });
  return said;
}

/** A REST answer with its headers, of which that with the remarks is decoded. */
async function readAnswer(answer: Response): Promise<Json> {
  const headers = [...answer.headers].filter(([name]) => !HEADERS_OF_REQUESTS.test(name));
  const isPicture = answer.headers.get('content-type') === 'image/png';
  const body = isPicture ? '' : JSON.parse((await answer.text()) || 'null');
  const decoded = headers.map(([name, value]) => `${name}: ${decodeURIComponent(value)}`);
  return withoutRandomness({ status: answer.status, headers: decoded, body });
}

const inHostileNames = (said: readonly Json[]): readonly Json[] =>
  JSON.parse(withHostileNames(JSON.stringify(said)));

/** What a store says of its computer, as a service says it. */
const ofTheService = (said: readonly Json[]): readonly Json[] =>
  JSON.parse(
    JSON.stringify(said)
      .replaceAll('this computer', 'the computer of the service')
      .replaceAll(' Alerts are checked only while a chat is open.', ''),
  );

const READS = operations.filter(({ effect }) => effect === 'read');

const readsOf = ({ base, key }: ServedFarm): Promise<readonly Json[]> =>
  Promise.all(
    READS.map(async (operation) => {
      const wire = callsOfOperation(operation.name).valid(ROWS, 0);
      const headers = { 'acequia-remarks': 'en' };
      const answer = await restRequest(base, key, operation, wire, { headers });
      return { name: operation.name, ...(await readAnswer(answer)) };
    }),
  );

/** Refused with the names of rows, or with a text as it was sent. */
const REFUSED: readonly (readonly [operation: string, wire: WireFields])[] = [
  ['set_parcel', { name: 'North block', newName: 'South block' }],
  ['set_module', { name: 'North 1', newName: 'North 2' }],
  ['set_module', { name: 'North 1', category: 'WEATHER_STATION' }],
  ['log_rain', { mm: 12, when: 'North 1' }],
  ['log_watering', { moduleId: 1, startedAt: 'Mas 7', inputMode: 'duration', durationMin: 30 }],
  ['list_modules', { lang: 'North 2' }],
];

const problemsOf = ({ base, key }: ServedFarm, rename: Rename): Promise<readonly Json[]> =>
  Promise.all(
    REFUSED.map(async ([name, wire]) => {
      const operation = operationsByName.get(name)!;
      return readAnswer(await restRequest(base, key, operation, renamed(wire, rename)));
    }),
  );

const postedBy = async ({ base, key }: ServedFarm, rename: Rename): Promise<readonly Json[]> => {
  const { call } = await mcpHttpSurface(base, key);
  const reads = READS.filter(({ rest, render }) => !rest?.isRestOnly && render === undefined);
  // What other refusals quote as not understood is a part of a name.
  const refused = REFUSED.filter(([name]) => name === 'set_parcel' || name === 'set_module');
  const calls = [
    ...reads.map((read) => [read, callsOfOperation(read.name).valid(ROWS, 0)] as const),
    ...refused.map(([name, wire]) => [operationsByName.get(name)!, renamed(wire, rename)] as const),
  ];
  return Promise.all(
    calls.map(async ([operation, wire]) => {
      const { text } = await call(operation, wire);
      const answer = recordedAnswer(JSON.parse(text));
      return withoutRandomness({ name: operation.name, ...answer });
    }),
  );
};

describe.each(UNIT_SYSTEMS)('names that read as something else, in %s units', (units) => {
  let farms: { readonly hostile: ServedFarm; readonly harmless: ServedFarm };
  let said: readonly Json[];
  let expected: readonly Json[];

  beforeAll(async () => {
    farms = { hostile: await served(units, hostile), harmless: await served(units, harmless) };
    said = await saidBy(await remoteSession(farms.hostile), hostile);
    expected = await saidBy(await remoteSession(farms.harmless), harmless);
  });

  it('are never converted with --remote, and are no calls', () => {
    expect(said.length).toBeGreaterThan(100);
    for (const [name] of Object.values(NAMES))
      expect(JSON.stringify(said)).toContain(JSON.stringify(name).slice(1, -1));
    expect(said).toEqual(inHostileNames(expected));
  });

  it('are the same in the answers of a store', async () => {
    const local = await saidBy(await localSession(units, hostile), hostile);
    expect(ofTheService(local)).toEqual(said);
  });

  it('are as they are in the bodies and remarks of REST', async () => {
    const read = await readsOf(farms.hostile);
    expect(read.length).toBeGreaterThan(20);
    expect(
      read.filter((answer) => JSON.stringify(answer).includes('12 mm')).length,
    ).toBeGreaterThan(5);
    expect(read).toEqual(inHostileNames(await readsOf(farms.harmless)));
  });

  it('are as they are in answers and refusals of MCP over HTTP', async () => {
    const answers = await postedBy(farms.hostile, hostile);
    expect(
      answers.filter((answer) => JSON.stringify(answer).includes('12 mm')).length,
    ).toBeGreaterThan(5);
    expect(answers).toEqual(inHostileNames(await postedBy(farms.harmless, harmless)));
  });

  it('are as they are in problem documents', async () => {
    const problems = await problemsOf(farms.hostile, hostile);
    const named = Object.values(NAMES).map(([name]) => name);
    const withoutNames = problems.filter(
      ({ body }) => !named.some((name) => String(body.detail).includes(name)),
    );
    expect(withoutNames).toEqual([]);
    expect(problems).toEqual(inHostileNames(await problemsOf(farms.harmless, harmless)));
  });
});
