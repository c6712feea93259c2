import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { fieldMetadata, innerSchema } from '../../../src/schema/field.ts';
import { operations, operationsByName } from '../../../tools/index.ts';
import { callsOfOperation, type WireFields } from '../../operation-calls.ts';
import { isDeepRun } from '../../property-runs.ts';
import { waitUntil } from '../program.ts';
import { type CallResult, surfacesOf, type TestSurface } from '../test-surfaces.ts';
import { type CompanySide, markIn, type TwoCompanies, twoCompanies } from './isolation-farms.ts';

interface Attempt {
  readonly operation: AnyOperation;
  /** The argument with a value of the other company; null if none has one. */
  readonly argument: string | null;
  readonly surface: TestSurface;
  readonly own: CompanySide;
  readonly other: CompanySide;
  readonly wire: WireFields;
  readonly result: CallResult;
}

const FOREIGN_IDS: Readonly<Record<string, (other: CompanySide) => unknown>> = {
  moduleId: ({ module }) => module,
  moduleIds: ({ module }) => String(module),
  module: ({ module }) => module,
  targetModuleId: ({ module }) => module,
  parcelId: ({ parcel }) => parcel,
  targetParcelId: ({ parcel }) => parcel,
  eventId: ({ event }) => event,
  scheduleId: ({ schedule }) => schedule,
  rainId: ({ rain }) => rain,
  versionId: ({ version }) => version,
  annotationId: ({ line }) => line,
  changeId: ({ change }) => change,
  alertId: ({ alert }) => alert,
  gateway: ({ imei }) => `${imei}2`,
  email: ({ marker }) => `ana@${marker.toLowerCase()}.example`,
};

/** The page asks again for rows that changed, and gets none of a module that it no longer has. */
const ANSWERED_WITHOUT_ROWS: ReadonlySet<string> = new Set(['moduleIds']);

/** Codes of a catalog, and identifiers that a company chooses itself. */
const OWN_IDENTIFIERS: ReadonlySet<string> = new Set(['soilHorizonId', 'uid']);

/** Arguments that exclude another one. */
const REPLACED_ARGUMENTS: Readonly<Record<string, string>> = {
  targetParcelId: 'targetModuleId',
  'preview_watering parcelId': 'moduleId',
};

function references(schema: z.ZodTypeAny, name: string): string[] {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape as z.ZodRawShape).flatMap(([each, of]) =>
      references(of, each),
    );
  if (inner instanceof z.ZodArray) return references(inner.element, name);
  const { kind } = fieldMetadata(schema);
  return kind === 'module' ||
    kind === 'parcel' ||
    /(^id|ids?|_id|Id|Ids|uid|imei|email|gateway)$/.test(name)
    ? [name]
    : [];
}

const referencesOf = ({ input }: AnyOperation): string[] =>
  references(input, '').filter((each) => !OWN_IDENTIFIERS.has(each));

const has = ({ input }: AnyOperation, name: string): boolean => Object.hasOwn(input.shape, name);
/** A list; a series is paged over REST alone, for which its own tests hold. */
const isPaged = (operation: AnyOperation): boolean =>
  has(operation, 'cursor') && has(operation, 'limit');

/** One of its surfaces, the surfaces in turn; a deep run tries each operation on all of them. */
function triedSurfaces(operation: AnyOperation): readonly TestSurface[] {
  const surfaces = surfacesOf(operation);
  return isDeepRun ? surfaces : [surfaces[operations.indexOf(operation) % surfaces.length]!];
}

const attempts: Attempt[] = [];
const changed: string[] = [];
let companies: TwoCompanies;
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
    // Alerts are evaluated after the answer to a batch.
    await waitUntil(() => companies.isEvaluated());
    if ((await companies.rowsOf(other)) !== before)
      changed.push(`${other.marker} while ${own.marker} called`);
  };
  for (const [own, other] of isDeepRun ? pairs : pairs.slice(0, 1))
    await watched(own, other, tryForeign);
  for (const [own, other] of pairs) await watched(own, other, tryValid);
  for (const side of companies.sides) ids.set(side, await companies.idsOf(side));
});

async function recordAttempt(
  attempt: Omit<Attempt, 'result'>,
  idempotencyKey?: string,
): Promise<void> {
  const { operation, surface, own, wire } = attempt;
  attempts.push({
    ...attempt,
    result: await own.callers[surface](operation, wire, { idempotencyKey }),
  });
}

async function tryForeign(own: CompanySide, other: CompanySide): Promise<void> {
  for (const operation of operations)
    for (const [nth, surface] of triedSurfaces(operation).entries()) {
      const valid = callsOfOperation(operation.name).valid(own, nth);
      const common = { operation, surface, own, other };
      for (const argument of referencesOf(operation)) {
        const replaced =
          REPLACED_ARGUMENTS[`${operation.name} ${argument}`] ?? REPLACED_ARGUMENTS[argument];
        const { [replaced ?? '']: _, ...rest } = valid;
        await recordAttempt({
          ...common,
          argument,
          wire: { ...rest, [argument]: FOREIGN_IDS[argument]?.(other) },
        });
        const { kind } = fieldMetadata(operation.input.shape[argument] ?? z.unknown());
        const names: Record<string, string> = {
          module: other.moduleName,
          parcel: other.parcelName,
        };
        const name = names[kind];
        if (name !== undefined)
          await recordAttempt({ ...common, argument, wire: { ...rest, [argument]: name } });
      }
      if (has(operation, 'search'))
        await recordAttempt({
          ...common,
          argument: 'search',
          wire: { ...valid, search: other.marker.toLowerCase() },
        });
      if (isPaged(operation)) {
        const { next_cursor: cursor } = (
          await other.callers.REST(operation, { ...valid, limit: 1 })
        ).body;
        await recordAttempt({ ...common, argument: 'cursor', wire: { ...valid, cursor } });
      }
    }
}

/** Valid calls, under idempotency keys that the other company uses as well. */
async function tryValid(own: CompanySide, other: CompanySide): Promise<void> {
  for (const operation of operations)
    for (const [nth, surface] of triedSurfaces(operation).entries()) {
      const attempt = {
        operation,
        argument: null,
        surface,
        own,
        other,
        wire: callsOfOperation(operation.name).valid(own, nth),
      };
      await recordAttempt(attempt, isWrite(operation) ? `${operation.name} ${nth}` : undefined);
    }
}

const attemptsOf = (operation: AnyOperation): Attempt[] =>
  attempts.filter((each) => each.operation === operation);

const attemptText = ({ surface, own, wire, result }: Attempt): string =>
  `${own.marker} by ${surface} with ${JSON.stringify(wire)}: ${result.text}`;

/** Source: spec, "Errors". */
function codeFor({ operation: { input }, argument, wire }: Attempt): string {
  const { kind, unknownCode } = fieldMetadata(input.shape[argument!]);
  const own = kind === 'module' || kind === 'parcel' ? unknownCode : null;
  // A name, IMEI or address of the other company is unknown; REST takes no names.
  const isName = kind !== 'plain' || argument === 'gateway' || argument === 'email';
  if (typeof wire[argument!] === 'string' && isName) return own ?? 'not_found';
  return own === 'MODULE_NOT_OWNED' ? own : 'forbidden_resource';
}

const TABLES: Readonly<Record<string, string>> = {
  moduleId: 'modules',
  module_id: 'modules',
  targetModuleId: 'modules',
  parcelId: 'parcels',
  parcel_id: 'parcels',
  targetParcelId: 'parcels',
  scheduleId: 'schedules',
  installationId: 'installation_versions',
  alertId: 'alerts',
  annotationId: 'annotations',
  userId: 'users',
  user_id: 'users',
  createdBy: 'users',
};

function referencesTo(side: CompanySide, body: unknown): string[] {
  const matches: string[] = [];
  JSON.stringify(body ?? null, (key, value) => {
    const table = TABLES[key];
    const owned = table === undefined ? undefined : ids.get(side)!.get(table);
    const isOfSide =
      owned?.has(value) ||
      owned?.has(Number(value)) ||
      (key === 'companyId' && value === side.companyId);
    if (isOfSide) matches.push(`${key} ${value}`);
    return value;
  });
  return matches;
}

describe('one of two companies in a store', () => {
  it('is tested with a value of the other for every reference', () => {
    expect(
      operations.flatMap((each) =>
        referencesOf(each).filter((name) => FOREIGN_IDS[name] === undefined),
      ),
      'arguments without a value of the other company in FOREIGN_IDS',
    ).toEqual([]);
  });

  it.each(operations.map((each) => [each.name, each] as const))(
    'never sees anything of the other in %s',
    (_, operation) => {
      for (const each of attemptsOf(operation)) {
        const { result, other, wire, argument } = each;
        const value = argument === null ? undefined : wire[argument];
        const text = typeof value === 'string' ? result.text.replaceAll(value, '') : result.text;
        expect(markIn(text, other), attemptText(each)).toBeNull();
        expect(referencesTo(other, result.body), attemptText(each)).toEqual([]);
        expect(result.isReplayed, attemptText(each)).toBe(false);
      }
    },
  );

  it.each(operations.map((each) => [each.name, each] as const))(
    'can call %s on its own rows',
    (_, operation) => {
      const valid = attemptsOf(operation).filter(({ argument }) => argument === null);
      expect(valid).toHaveLength(2 * triedSurfaces(operation).length);
      for (const each of valid) expect(each.result.refusal, attemptText(each)).toBeUndefined();
    },
  );

  it.each(
    operations
      .filter((each) => referencesOf(each).some((name) => !ANSWERED_WITHOUT_ROWS.has(name)))
      .map((each) => [each.name, each] as const),
  )('is refused rows of the other by %s', (_, operation) => {
    const foreign = attemptsOf(operation).filter(
      ({ argument }) => argument !== null && FOREIGN_IDS[argument],
    );
    expect(foreign.length).toBeGreaterThan(0);
    for (const each of foreign) {
      const isNameOverRest =
        each.surface === 'REST' && typeof each.wire[each.argument!] === 'string';
      const { kind } = fieldMetadata(operation.input.shape[each.argument!]);
      if (isNameOverRest && kind !== 'plain')
        expect(each.result.refusal?.status, attemptText(each)).toBe(400);
      else expect(each.result.refusal?.code, attemptText(each)).toBe(codeFor(each));
    }
  });

  it('is answered without rows of the other where the page asks for some again', () => {
    const asked = attempts.filter(({ argument }) => ANSWERED_WITHOUT_ROWS.has(argument ?? ''));
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked) expect(each.result.body?.data, attemptText(each)).toEqual([]);
  });

  it('finds nothing of the other, and cannot use its cursors', () => {
    const matches = attempts.filter(({ argument }) => argument === 'search');
    expect(matches.length).toBeGreaterThan(0);
    for (const each of matches) expect(each.result.body?.data, attemptText(each)).toEqual([]);
    const paged = attempts.filter(
      ({ argument, wire }) => argument === 'cursor' && wire.cursor !== null,
    );
    expect(paged.length).toBeGreaterThan(0);
    for (const each of paged)
      expect(each.result.refusal?.code, attemptText(each)).toBe('invalid_cursor');
  });

  it('has its input checked before the owner of rows', async () => {
    const [own, other] = companies.sides;
    for (const operation of operations.filter(isPaged))
      for (const argument of referencesOf(operation)) {
        const wire = { [argument]: FOREIGN_IDS[argument]!(other), cursor: 'broken' };
        const results = await Promise.all(
          surfacesOf(operation).map((surface) => own.callers[surface](operation, wire)),
        );
        expect(
          results.map(({ refusal }) => refusal?.code),
          operation.name,
        ).toEqual(surfacesOf(operation).map(() => 'invalid_cursor'));
      }
  });

  it('cannot send readings or gateway statuses of the other', async () => {
    const reading = { type: 'humidity', depth: 10, time: '2026-06-28T06:00', value: 12.5 };
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [
      CompanySide,
      CompanySide,
    ][]) {
      const before = await companies.rowsOf(other);
      const named = [other.module, other.moduleName, `${other.marker}-0`, `#${other.module}`];
      const { body } = await own.callers.REST(operationsByName.get('ingest')!, {
        readings: named.map((module) => ({ ...reading, module })),
        gateways: [{ imei: `${other.imei}1`, lastSeen: '2026-07-01T09:00:00Z' }],
      });
      expect(body.reasons).toEqual([
        { reason: 'unknown module', count: 4 },
        { reason: 'unknown gateway', count: 1 },
      ]);
      expect(body).toMatchObject({
        readings: { written: 0, refused: 4 },
        gateways: { refused: 1 },
        modules: [],
      });
      expect(await companies.rowsOf(other)).toBe(before);
    }
  });

  it('changes nothing of the other', () => {
    expect(changed).toEqual([]);
  });

  it('sees only its own rows in resources and completions', async () => {
    for (const [own, other] of [companies.sides, [...companies.sides].reverse()] as [
      CompanySide,
      CompanySide,
    ][])
      for (const { client } of own.mcpClients) {
        for (const { uri } of (await client.listResources()).resources)
          expect(markIn(JSON.stringify(await client.readResource({ uri })), other), uri).toBeNull();
        const { resourceTemplates } = await client.listResourceTemplates();
        const rowTemplates = resourceTemplates.filter(({ uriTemplate }) =>
          uriTemplate.startsWith('acequia:'),
        );
        expect(rowTemplates.length).toBeGreaterThan(0);
        for (const { uriTemplate } of rowTemplates) {
          const [, name = ''] = /\{(\w+)\}/.exec(uriTemplate) ?? [];
          const uri = uriTemplate.replace(/\{\w+\}/, String(FOREIGN_IDS[`${name}Id`]!(other)));
          const refused = await client
            .readResource({ uri })
            .then(JSON.stringify, (error: Error) => error);
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
