import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyOperation, isWrite } from '../../src/operation/operation.ts';
import { bare, factsOf } from '../../src/schema/field.ts';
import { operations, operationsByName } from '../../tools/index.ts';
import { FOREIGN, IN_PLACE_OF, SHARED, SOUND_CALLS } from './confinement-calls.ts';
import { markIn, type Side, type TwoCompanies, twoCompanies } from './confinement-farms.ts';
import { until } from './schedule-farm.ts';
import { type Fields, type Heard, WAYS, type Way, waysOf } from './three-ways.ts';

/** A call that was made on behalf of one company, with something of the other in it or not. */
interface Tried {
  readonly described: AnyOperation;
  /** The argument that held something of the other company; null where all was its own. */
  readonly argument: string | null;
  readonly way: Way;
  readonly own: Side;
  readonly other: Side;
  readonly wire: Fields;
  readonly heard: Heard;
}

const covered = operations.filter(({ name }) => SOUND_CALLS[name] !== undefined);

/** Arguments by which rows are referred to, down to the fields of lists and objects. */
function references(schema: z.ZodTypeAny, name: string): string[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as z.ZodRawShape).flatMap(([each, of]) => references(of, each));
  if (inner instanceof z.ZodArray) return references(inner.element, name);
  const { kind } = factsOf(schema);
  return kind === 'module' || kind === 'parcel' || /(^id|ids?|_id|Id|Ids|uid|imei|email)$/.test(name) ? [name] : [];
}

const referencesOf = ({ input }: AnyOperation): string[] => references(input, '').filter((each) => !SHARED.has(each));

const has = ({ input }: AnyOperation, name: string): boolean => Object.hasOwn(input.shape, name);

const tried: Tried[] = [];
/** What of the other company's rows was changed while one called. */
const changed: string[] = [];
let companies: TwoCompanies;
/** Ids that are a company's, by table, once all was tried. */
const ids = new Map<Side, ReadonlyMap<string, ReadonlySet<unknown>>>();

beforeAll(async () => {
  companies = await twoCompanies();
  const [first, second] = companies.sides;
  const pairs = [
    [first, second],
    [second, first],
  ] as const;
  const watched = async (own: Side, other: Side, tries: (own: Side, other: Side) => Promise<void>) => {
    const before = await companies.rowsOf(other);
    await tries(own, other);
    // What a batch calls for comes beside its answer.
    await until(() => companies.isLookedAt());
    if ((await companies.rowsOf(other)) !== before) changed.push(`${other.word} while ${own.word} called`);
  };
  for (const [own, other] of pairs) await watched(own, other, tryForeign);
  for (const [own, other] of pairs) await watched(own, other, trySound);
  for (const side of companies.sides) ids.set(side, await companies.idsOf(side));
});

async function attempt(made: Omit<Tried, 'heard'>, idempotencyKey?: string): Promise<void> {
  const { described, way, own, wire } = made;
  tried.push({ ...made, heard: await own.asks[way](described, wire, { ...(idempotencyKey && { idempotencyKey }) }) });
}

/** Everything of the other company, in every argument that could take it. */
async function tryForeign(own: Side, other: Side): Promise<void> {
  for (const described of covered)
    for (const [nth, way] of waysOf(described).entries()) {
      const sound = SOUND_CALLS[described.name]!(own, nth);
      const common = { described, way, own, other };
      for (const argument of referencesOf(described)) {
        const { [IN_PLACE_OF[argument] ?? '']: _, ...rest } = sound;
        await attempt({ ...common, argument, wire: { ...rest, [argument]: FOREIGN[argument]?.(other) } });
        const { kind } = factsOf(described.input.shape[argument] ?? z.unknown());
        const name = kind === 'module' ? other.moduleName : kind === 'parcel' ? other.parcelName : null;
        if (name !== null) await attempt({ ...common, argument, wire: { ...rest, [argument]: name } });
      }
      if (has(described, 'search'))
        await attempt({ ...common, argument: 'search', wire: { ...sound, search: other.word.toLowerCase() } });
      if (has(described, 'cursor')) {
        const { next_cursor: cursor } = (await other.asks.REST(described, { ...sound, limit: 1 })).body;
        await attempt({ ...common, argument: 'cursor', wire: { ...sound, cursor } });
      }
    }
}

/** Everything in its own books, under idempotency keys that the other company uses as well. */
async function trySound(own: Side, other: Side): Promise<void> {
  for (const described of covered)
    for (const [nth, way] of waysOf(described).entries()) {
      const made = { described, argument: null, way, own, other, wire: SOUND_CALLS[described.name]!(own, nth) };
      await attempt(made, isWrite(described) ? `${described.name} ${nth}` : undefined);
    }
}

const triesOf = (described: AnyOperation): Tried[] => tried.filter((each) => each.described === described);

const sayTry = ({ way, own, wire, heard }: Tried): string =>
  `${own.word} by ${way} with ${JSON.stringify(wire)}: ${heard.text}`;

/** The code a reference to the other company's row is refused with. Source: spec, "Errors". */
function codeFor({ described: { input, unknown }, argument, wire }: Tried): string {
  const { kind } = factsOf(input.shape[argument!]);
  const own = kind === 'module' || kind === 'parcel' ? unknown?.[kind] : undefined;
  // A name is one that nobody here has; REST takes no names at all.
  if (typeof wire[argument!] === 'string' && kind !== 'plain') return own ?? 'not_found';
  return own === 'MODULE_NOT_OWNED' ? own : 'forbidden_resource';
}

/** The tables that fields of an answer refer to. */
const TABLES: Readonly<Record<string, string>> = {
  ...{ moduleId: 'modules', module_id: 'modules', targetModuleId: 'modules' },
  ...{ parcelId: 'parcels', parcel_id: 'parcels', targetParcelId: 'parcels' },
  ...{
    scheduleId: 'schedules',
    installationId: 'installation_versions',
    alertId: 'alerts',
    annotationId: 'annotations',
  },
  ...{ userId: 'users', user_id: 'users', createdBy: 'users' },
};

/** References in a body to rows of a company. */
function referencesTo(side: Side, body: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(body ?? null, (key, value) => {
    const table = TABLES[key];
    const owned = table === undefined ? undefined : ids.get(side)!.get(table);
    const isOfSide =
      owned?.has(value) || owned?.has(Number(value)) || (key === 'companyId' && value === side.companyId);
    if (isOfSide) found.push(`${key} ${value}`);
    return value;
  });
  return found;
}

describe('a company beside another in one store', () => {
  it('calls every operation there is', () => {
    expect(
      operations.filter(({ name }) => SOUND_CALLS[name] === undefined).map(({ name }) => name),
      'operations that want a call in confinement-calls.ts',
    ).toEqual([]);
  });

  it('has something of the other to try for every reference', () => {
    expect(
      operations.flatMap((each) => referencesOf(each).filter((name) => FOREIGN[name] === undefined)),
      'arguments that want a foreign value in confinement-calls.ts',
    ).toEqual([]);
  });

  it.each(covered.map((each) => [each.name, each] as const))('never hears of the other from %s', (_, described) => {
    for (const each of triesOf(described)) {
      const { heard, other, wire, argument } = each;
      const given = argument === null ? undefined : wire[argument];
      const text = typeof given === 'string' ? heard.text.replaceAll(given, '') : heard.text;
      expect(markIn(text, other), sayTry(each)).toBeNull();
      expect(referencesTo(other, heard.body), sayTry(each)).toEqual([]);
      expect(heard.isReplayed, sayTry(each)).toBe(false);
    }
  });

  it.each(covered.map((each) => [each.name, each] as const))('is answered by %s in its own books', (_, described) => {
    const sound = triesOf(described).filter(({ argument }) => argument === null);
    expect(sound).toHaveLength(2 * waysOf(described).length);
    for (const each of sound) expect(each.heard.refusal, sayTry(each)).toBeUndefined();
  });

  it.each(covered.filter((each) => referencesOf(each).length > 0).map((each) => [each.name, each] as const))(
    'is refused the rows of the other by %s',
    (_, described) => {
      const foreign = triesOf(described).filter(({ argument }) => argument !== null && FOREIGN[argument]);
      expect(foreign.length).toBeGreaterThan(0);
      for (const each of foreign) {
        const isNameOverRest = each.way === 'REST' && typeof each.wire[each.argument!] === 'string';
        const { kind } = factsOf(described.input.shape[each.argument!]);
        if (isNameOverRest && kind !== 'plain') expect(each.heard.refusal?.status, sayTry(each)).toBe(400);
        else expect(each.heard.refusal?.code, sayTry(each)).toBe(codeFor(each));
      }
    },
  );

  it('finds nothing of the other, and cannot page by its cursors', () => {
    const found = tried.filter(({ argument }) => argument === 'search');
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(each.heard.body?.data, sayTry(each)).toEqual([]);
    const paged = tried.filter(({ argument, wire }) => argument === 'cursor' && wire.cursor !== null);
    expect(paged.length).toBeGreaterThan(0);
    for (const each of paged) expect(each.heard.refusal?.code, sayTry(each)).toBe('invalid_cursor');
  });

  it('is told what is wrong with its entry before whose the rows are', async () => {
    const [own, other] = companies.sides;
    for (const described of covered.filter((each) => has(each, 'cursor')))
      for (const argument of referencesOf(described)) {
        const wire = { [argument]: FOREIGN[argument]!(other), cursor: 'broken' };
        const heard = await Promise.all(WAYS.map((way) => own.asks[way](described, wire)));
        expect(
          heard.map(({ refusal }) => refusal?.code),
          described.name,
        ).toEqual(WAYS.map(() => 'invalid_cursor'));
      }
  });

  it('is refused, row by row, what a batch brings for the other', async () => {
    const reading = { type: 'humidity', depth: 10, time: '2026-06-28T06:00', value: 12.5 };
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [Side, Side][]) {
      const before = await companies.rowsOf(other);
      const named = [other.module, other.moduleName, `${other.word}-0`, `#${other.module}`];
      const { body } = await own.asks.REST(operationsByName.get('ingest')!, {
        readings: named.map((module) => ({ ...reading, module })),
        gateways: [{ imei: `${other.imei}1`, lastSeen: '2026-07-01T09:00:00Z' }],
      });
      expect(body.reasons).toEqual([
        { reason: 'unknown module', count: 4 },
        { reason: 'unknown gateway', count: 1 },
      ]);
      expect(body).toMatchObject({ readings: { written: 0, refused: 4 }, gateways: { refused: 1 }, modules: [] });
      expect(await companies.rowsOf(other)).toBe(before);
    }
  });

  it('changes nothing of the other', () => {
    expect(changed).toEqual([]);
  });

  it('is read and completed by its own names alone, through what the tools stand beside', async () => {
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [Side, Side][])
      for (const { client } of own.tools) {
        for (const { uri } of (await client.listResources()).resources)
          expect(markIn(JSON.stringify(await client.readResource({ uri })), other), uri).toBeNull();
        const { resourceTemplates } = await client.listResourceTemplates();
        expect(resourceTemplates.length).toBeGreaterThan(0);
        for (const { uriTemplate } of resourceTemplates) {
          const [, name = ''] = /\{(\w+)\}/.exec(uriTemplate) ?? [];
          const uri = uriTemplate.replace(/\{\w+\}/, String(FOREIGN[`${name}Id`]!(other)));
          const refused = await client.readResource({ uri }).then(JSON.stringify, (error: Error) => error);
          expect(refused, uri).toBeInstanceOf(Error);
          expect(markIn(String(refused), other), uri).toBeNull();
          const ref = { type: 'ref/resource', uri: uriTemplate } as const;
          const { completion } = await client.complete({ ref, argument: { name, value: '' } });
          expect(completion.values.length).toBeGreaterThan(0);
          expect(markIn(completion.values.join(), other)).toBeNull();
        }
      }
  });
});
