import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyOperation, isWrite } from '../../../src/operation/operation.ts';
import { fieldMetadata, innerSchema } from '../../../src/schema/field.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import { waitUntil } from '../program.ts';
import { type CallResult, surfacesOf, TEST_SURFACES, type TestSurface, type WireFields } from '../test-surfaces.ts';
import { CATALOG_REFERENCES, FOREIGN_IDS, REPLACED_BY, VALID_CALLS } from './isolation-calls.ts';
import { type CompanySide, markIn, type TwoCompanies, twoCompanies } from './isolation-farms.ts';

/** A call that was made on behalf of one company, with something of the other in it or not. */
interface Attempt {
  readonly described: AnyOperation;
  /** The argument that held something of the other company; null where all was its own. */
  readonly argument: string | null;
  readonly way: TestSurface;
  readonly own: CompanySide;
  readonly other: CompanySide;
  readonly wire: WireFields;
  readonly result: CallResult;
}

const testedOperations = operations.filter(({ name }) => VALID_CALLS[name] !== undefined);

/** Arguments by which rows are referred to, down to the fields of lists and objects. */
function references(schema: z.ZodTypeAny, name: string): string[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as z.ZodRawShape).flatMap(([each, of]) => references(of, each));
  if (inner instanceof z.ZodArray) return references(inner.element, name);
  const { kind } = fieldMetadata(schema);
  return kind === 'module' || kind === 'parcel' || /(^id|ids?|_id|Id|Ids|uid|imei|email)$/.test(name) ? [name] : [];
}

const referencesOf = ({ input }: AnyOperation): string[] =>
  references(input, '').filter((each) => !CATALOG_REFERENCES.has(each));

const has = ({ input }: AnyOperation, name: string): boolean => Object.hasOwn(input.shape, name);

const attempts: Attempt[] = [];
/** What of the other company's rows was changed while one called. */
const changed: string[] = [];
let companies: TwoCompanies;
/** Ids that are a company's, by table, once all was tried. */
const ids = new Map<CompanySide, ReadonlyMap<string, ReadonlySet<unknown>>>();

beforeAll(async () => {
  companies = await twoCompanies();
  const [first, second] = companies.sides;
  const pairs = [
    [first, second],
    [second, first],
  ] as const;
  const watched = async (
    own: CompanySide,
    other: CompanySide,
    tries: (own: CompanySide, other: CompanySide) => Promise<void>,
  ) => {
    const before = await companies.rowsOf(other);
    await tries(own, other);
    // What a batch calls for comes beside its answer.
    await waitUntil(() => companies.isEvaluated());
    if ((await companies.rowsOf(other)) !== before) changed.push(`${other.word} while ${own.word} called`);
  };
  for (const [own, other] of pairs) await watched(own, other, tryForeign);
  for (const [own, other] of pairs) await watched(own, other, trySound);
  for (const side of companies.sides) ids.set(side, await companies.idsOf(side));
});

async function recordAttempt(made: Omit<Attempt, 'result'>, idempotencyKey?: string): Promise<void> {
  const { described, way, own, wire } = made;
  attempts.push({
    ...made,
    result: await own.callers[way](described, wire, { ...(idempotencyKey && { idempotencyKey }) }),
  });
}

/** Everything of the other company, in every argument that could take it. */
async function tryForeign(own: CompanySide, other: CompanySide): Promise<void> {
  for (const operation of testedOperations)
    for (const [nth, way] of surfacesOf(operation).entries()) {
      const sound = VALID_CALLS[operation.name]!(own, nth);
      const common = { described: operation, way, own, other };
      for (const argument of referencesOf(operation)) {
        const { [REPLACED_BY[argument] ?? '']: _, ...rest } = sound;
        await recordAttempt({ ...common, argument, wire: { ...rest, [argument]: FOREIGN_IDS[argument]?.(other) } });
        const { kind } = fieldMetadata(operation.input.shape[argument] ?? z.unknown());
        const name = kind === 'module' ? other.moduleName : kind === 'parcel' ? other.parcelName : null;
        if (name !== null) await recordAttempt({ ...common, argument, wire: { ...rest, [argument]: name } });
      }
      if (has(operation, 'search'))
        await recordAttempt({ ...common, argument: 'search', wire: { ...sound, search: other.word.toLowerCase() } });
      if (has(operation, 'cursor')) {
        const { next_cursor: cursor } = (await other.callers.REST(operation, { ...sound, limit: 1 })).body;
        await recordAttempt({ ...common, argument: 'cursor', wire: { ...sound, cursor } });
      }
    }
}

/** Everything in its own books, under idempotency keys that the other company uses as well. */
async function trySound(own: CompanySide, other: CompanySide): Promise<void> {
  for (const operation of testedOperations)
    for (const [nth, way] of surfacesOf(operation).entries()) {
      const made = {
        described: operation,
        argument: null,
        way,
        own,
        other,
        wire: VALID_CALLS[operation.name]!(own, nth),
      };
      await recordAttempt(made, isWrite(operation) ? `${operation.name} ${nth}` : undefined);
    }
}

const attemptsOf = (operation: AnyOperation): Attempt[] => attempts.filter((each) => each.described === operation);

const describeAttempt = ({ way, own, wire, result }: Attempt): string =>
  `${own.word} by ${way} with ${JSON.stringify(wire)}: ${result.text}`;

/** The code a reference to the other company's row is refused with. Source: spec, "Errors". */
function codeFor({ described: { input }, argument, wire }: Attempt): string {
  const { kind, unknownCode } = fieldMetadata(input.shape[argument!]);
  const own = kind === 'module' || kind === 'parcel' ? unknownCode : null;
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
function referencesTo(side: CompanySide, body: unknown): string[] {
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
      operations.filter(({ name }) => VALID_CALLS[name] === undefined).map(({ name }) => name),
      'operations that want a call in confinement-calls.ts',
    ).toEqual([]);
  });

  it('has something of the other to try for every reference', () => {
    expect(
      operations.flatMap((each) => referencesOf(each).filter((name) => FOREIGN_IDS[name] === undefined)),
      'arguments that want a foreign value in confinement-calls.ts',
    ).toEqual([]);
  });

  it.each(testedOperations.map((each) => [each.name, each] as const))(
    'never hears of the other from %s',
    (_, operation) => {
      for (const each of attemptsOf(operation)) {
        const { result, other, wire, argument } = each;
        const given = argument === null ? undefined : wire[argument];
        const text = typeof given === 'string' ? result.text.replaceAll(given, '') : result.text;
        expect(markIn(text, other), describeAttempt(each)).toBeNull();
        expect(referencesTo(other, result.body), describeAttempt(each)).toEqual([]);
        expect(result.isReplayed, describeAttempt(each)).toBe(false);
      }
    },
  );

  it.each(testedOperations.map((each) => [each.name, each] as const))(
    'is answered by %s in its own books',
    (_, operation) => {
      const sound = attemptsOf(operation).filter(({ argument }) => argument === null);
      expect(sound).toHaveLength(2 * surfacesOf(operation).length);
      for (const each of sound) expect(each.result.refusal, describeAttempt(each)).toBeUndefined();
    },
  );

  it.each(testedOperations.filter((each) => referencesOf(each).length > 0).map((each) => [each.name, each] as const))(
    'is refused the rows of the other by %s',
    (_, operation) => {
      const foreign = attemptsOf(operation).filter(({ argument }) => argument !== null && FOREIGN_IDS[argument]);
      expect(foreign.length).toBeGreaterThan(0);
      for (const each of foreign) {
        const isNameOverRest = each.way === 'REST' && typeof each.wire[each.argument!] === 'string';
        const { kind } = fieldMetadata(operation.input.shape[each.argument!]);
        if (isNameOverRest && kind !== 'plain') expect(each.result.refusal?.status, describeAttempt(each)).toBe(400);
        else expect(each.result.refusal?.code, describeAttempt(each)).toBe(codeFor(each));
      }
    },
  );

  it('finds nothing of the other, and cannot page by its cursors', () => {
    const found = attempts.filter(({ argument }) => argument === 'search');
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(each.result.body?.data, describeAttempt(each)).toEqual([]);
    const paged = attempts.filter(({ argument, wire }) => argument === 'cursor' && wire.cursor !== null);
    expect(paged.length).toBeGreaterThan(0);
    for (const each of paged) expect(each.result.refusal?.code, describeAttempt(each)).toBe('invalid_cursor');
  });

  it('is told what is wrong with its entry before whose the rows are', async () => {
    const [own, other] = companies.sides;
    for (const operation of testedOperations.filter((each) => has(each, 'cursor')))
      for (const argument of referencesOf(operation)) {
        const wire = { [argument]: FOREIGN_IDS[argument]!(other), cursor: 'broken' };
        const heard = await Promise.all(TEST_SURFACES.map((way) => own.callers[way](operation, wire)));
        expect(
          heard.map(({ refusal }) => refusal?.code),
          operation.name,
        ).toEqual(TEST_SURFACES.map(() => 'invalid_cursor'));
      }
  });

  it('is refused, row by row, what a batch brings for the other', async () => {
    const reading = { type: 'humidity', depth: 10, time: '2026-06-28T06:00', value: 12.5 };
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [CompanySide, CompanySide][]) {
      const before = await companies.rowsOf(other);
      const named = [other.module, other.moduleName, `${other.word}-0`, `#${other.module}`];
      const { body } = await own.callers.REST(operationsByName.get('ingest')!, {
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
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [CompanySide, CompanySide][])
      for (const { client } of own.mcpClients) {
        for (const { uri } of (await client.listResources()).resources)
          expect(markIn(JSON.stringify(await client.readResource({ uri })), other), uri).toBeNull();
        const { resourceTemplates } = await client.listResourceTemplates();
        expect(resourceTemplates.length).toBeGreaterThan(0);
        for (const { uriTemplate } of resourceTemplates) {
          const [, name = ''] = /\{(\w+)\}/.exec(uriTemplate) ?? [];
          const uri = uriTemplate.replace(/\{\w+\}/, String(FOREIGN_IDS[`${name}Id`]!(other)));
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
