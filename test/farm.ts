import type { Kysely } from 'kysely';
import { test } from 'vitest';
import type { Lang } from '../src/domain/lang.ts';
import { readText } from '../src/language/text/rendered-text.ts';
import { structuredBody } from '../src/operation/answer.ts';
import { checkedArguments } from '../src/operation/arguments/operation-arguments.ts';
import {
  argumentsOfTarget,
  operationForArguments,
  readToolArguments,
} from '../src/operation/arguments/tool-arguments.ts';
import type { Caller, Identity } from '../src/operation/authorization.ts';
import { LocalRunner } from '../src/operation/local/local-runner.ts';
import type { OperationResult } from '../src/operation/operation-result.ts';
import { spokenTimesOf } from '../src/operation/replay/spoken-times.ts';
import type { Advisory } from '../src/schema/advisory.ts';
import type {
  InstallationVersionBody,
  IrrigationConfigurationBody,
  IrrigationSetupBody,
} from '../src/schema/irrigation/installation.ts';
import type { ScheduleBody } from '../src/schema/irrigation/schedule.ts';
import type {
  WateringAnswer,
  WateringBody,
  WateringSource,
} from '../src/schema/irrigation/watering.ts';
import { SCOPES } from '../src/schema/scope.ts';
import { importFarm } from '../src/service/farm/farm-import.ts';
import type { FarmImportReport } from '../src/service/farm/farm-rows.ts';
import {
  type HousekeepingOptions,
  type HousekeepingReport,
  runHousekeepingRound,
} from '../src/service/jobs/housekeeping.ts';
import { companyById, insertCompany } from '../src/store/company/companies.ts';
import { insertFarmRow, type NewFarmRow } from '../src/store/farm/farm-rows.ts';
import type { Store } from '../src/store/store.ts';
import type { CompanyDb, Tables } from '../src/store/tables.ts';
import { operationsByName } from '../tools/index.ts';
import { detectsWrites } from './stores/stores.ts';
import { storesFilledWith } from './stores/template-stores.ts';

/** Noon in Europe/Paris, where the farm's clock stays until a test moves it. */
export const FARM_NOW = Date.UTC(2026, 6, 1, 10);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const iso = (at: number): string => new Date(at).toISOString();

type Fields = Record<string, unknown>;

/** The entry of a watering by its duration in minutes, or by its depth in mm. */
export const minutesAt = (at: number, durationMin: number, fields: Fields = {}) => ({
  startedAt: iso(at),
  inputMode: 'duration',
  durationMin,
  ...fields,
});
export const depthAt = (at: number, inputDepthMm: number, fields: Fields = {}) => ({
  startedAt: iso(at),
  inputMode: 'depth_mm',
  inputDepthMm,
  ...fields,
});

/** An answer without what only a tool adds. */
export const bodyOf = <Body extends object>({
  summary: _summary,
  next: _next,
  replayed: _replayed,
  replaySummary: _replaySummary,
  advisories: _advisories,
  ...body
}: ToolResult<Body>) => body;

export interface Advised {
  readonly advisories: readonly Advisory[];
}

/** The advisories of one kind, which are the facts that a summary adds to the body. */
export const advisoriesOf = <K extends Advisory['kind']>(
  { advisories }: Advised,
  kind: K,
): Extract<Advisory, { kind: K }>[] =>
  advisories.filter(
    (advisory): advisory is Extract<Advisory, { kind: K }> => advisory.kind === kind,
  );

export type ToolResult<Body> = Body & {
  readonly summary: string;
  /** The calls that are likely to come next. */
  readonly next: string;
  readonly replayed: boolean;
  readonly advisories: readonly Advisory[];
  /** Stands before the summary of the first answer in a replay. */
  readonly replaySummary?: string;
};

export interface ToolCallOptions {
  readonly idempotencyKey?: string;
  /** Mas Rouge by default. */
  readonly company?: string;
  readonly caller?: Partial<Caller>;
  readonly lang?: Lang;
  readonly source?: WateringSource;
  readonly signal?: AbortSignal;
  readonly needsConfirmation?: boolean;
  readonly isConfirmed?: boolean;
}

/**
 * Two companies in one store. Mas Rouge (Europe/Paris) has the parcel "North block" with the probes
 * "North 1" to "North 3", the parcel "South block" with the probe "South 1" and the station "Mast",
 * the empty parcel "Fallow", and the probe "Loose" in no parcel. Mas Bleu has the parcel "Blue
 * block" with the probe "Blue 1". Nothing has a setup.
 */
export interface TestFarm {
  readonly store: Store;
  readonly db: string;
  now: number;
  idOf(name: string): number;
  /** Takes arguments as an assistant sends them. */
  tool<Body = Fields>(
    name: string,
    args?: Fields,
    asking?: ToolCallOptions,
  ): Promise<ToolResult<Body>>;
  /** Takes arguments of the REST API: ids and ISO instants, with its own defaults. */
  wire<Body = Fields>(
    name: string,
    input?: Fields,
    asking?: ToolCallOptions,
  ): Promise<ToolResult<Body>>;
  log(
    module: string,
    fields: Fields,
    asking?: ToolCallOptions,
  ): Promise<ToolResult<WateringAnswer>>;
  correct(
    event: WateringBody,
    fields: Fields,
    asking?: ToolCallOptions,
  ): Promise<ToolResult<WateringAnswer>>;
  waterings(): Promise<WateringBody[]>;
  watering(id: number): Promise<WateringBody>;
  declare(module: string, fields: Fields): Promise<ToolResult<IrrigationConfigurationBody>>;
  declareParcel(parcel: string, fields: Fields): Promise<ToolResult<{ success: boolean }>>;
  /** Declares as REST does, which takes every figure within the specified limits. */
  declareUnasked(module: string, fields: Fields): Promise<IrrigationConfigurationBody>;
  correctVersion(
    version: { id: number },
    fields: Fields,
  ): Promise<ToolResult<InstallationVersionBody>>;
  setup(module: string): Promise<ToolResult<IrrigationSetupBody>>;
  /** The default is daily at 06:00 in Paris for 30 min, from today. */
  createSchedule(fields: Fields, asking?: ToolCallOptions): Promise<ToolResult<ScheduleBody>>;
  updateSchedule(schedule: { id: number }, fields: Fields): Promise<ToolResult<ScheduleBody>>;
  occurrences(schedule?: { id: number }): Promise<WateringBody[]>;
  tick(query?: Partial<HousekeepingOptions>): Promise<HousekeepingReport>;
  importFile(file: Fields): Promise<FarmImportReport>;
  isWrittenBy(body: () => Promise<unknown>): Promise<boolean>;
  write<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
}

export const NO_DETAILS = {
  legal_name: null,
  country_code: null,
  currency: null,
  city: null,
  postal_code: null,
  region: null,
};

export const bareModule = (
  row: Partial<NewFarmRow<'modules'>> & { uid: string },
): NewFarmRow<'modules'> => ({
  name: null,
  number: null,
  serial_hex: null,
  category: 'SOIL_PROBE',
  parcel_id: null,
  gateway_id: null,
  commissioned_at: 0,
  lat: null,
  lon: null,
  location_source: null,
  location_gateway_id: null,
  ...row,
});

interface CompanyPlan {
  readonly parcels: Record<string, readonly string[]>;
  readonly loose: readonly string[];
}

const MAS_ROUGE: CompanyPlan = {
  parcels: {
    'North block': ['North 1', 'North 2', 'North 3'],
    'South block': ['South 1', 'Mast'],
    Fallow: [],
  },
  loose: ['Loose'],
};
const MAS_BLEU: CompanyPlan = { parcels: { 'Blue block': ['Blue 1'] }, loose: [] };

async function build(
  store: Store,
  name: string,
  plan: CompanyPlan,
  ids: Map<string, number>,
): Promise<number> {
  return store.writeAll(async (all) => {
    const companyId = await insertCompany(all, { name, timezone: 'Europe/Paris', ...NO_DETAILS });
    const db = store.scopeToCompany(all, companyId);
    await insertFarmRow(db, 'users', { email: 'ana@example.org', name: 'Ana', role: 'OWNER' });
    const addModule = async (module: string, parcelId: number | null) => {
      const category = module === 'Mast' ? 'WEATHER_STATION' : 'SOIL_PROBE';
      ids.set(
        module,
        await insertFarmRow(
          db,
          'modules',
          bareModule({ uid: module, name: module, parcel_id: parcelId, category }),
        ),
      );
    };
    for (const [parcel, modules] of Object.entries(plan.parcels)) {
      const parcelId = await insertFarmRow(db, 'parcels', {
        name: parcel,
        type: null,
        geometry: null,
      });
      ids.set(parcel, parcelId);
      for (const module of modules) await addModule(module, parcelId);
    }
    for (const module of plan.loose) await addModule(module, null);
    return companyId;
  });
}

interface FarmIds {
  readonly companies: ReadonlyMap<string, number>;
  readonly ids: ReadonlyMap<string, number>;
}

async function buildCompanies(store: Store): Promise<FarmIds> {
  const ids = new Map<string, number>();
  const rouge = await build(store, 'Mas Rouge', MAS_ROUGE, ids);
  const bleu = await build(store, 'Mas Bleu', MAS_BLEU, ids);
  return {
    ids,
    companies: new Map([
      ['Mas Rouge', rouge],
      ['Mas Bleu', bleu],
    ]),
  };
}

/** Gives each test a farm of its own with the contents that `fill` made once. */
export function farmsFilledWith<Known>(
  fill: (farm: TestFarm) => Promise<Known>,
): <T>(body: (farm: TestFarm, known: Known) => Promise<T>) => Promise<T> {
  const withStore = storesFilledWith(async (store, db) => {
    const named = await buildCompanies(store);
    const farm = farmIn(store, db, named);
    return { named, known: await fill(farm), now: farm.now };
  });
  return (body) =>
    withStore((store, db, { named, known, now }) =>
      body(Object.assign(farmIn(store, db, named), { now }), known),
    );
}

const withBareFarm = farmsFilledWith(async () => undefined);

export const withFarm = <T>(body: (farm: TestFarm) => Promise<T>): Promise<T> =>
  withBareFarm((farm) => body(farm));

export const it = test.extend<{ farm: TestFarm }>({
  // Vitest reads the fixtures that one depends on from this pattern.
  // biome-ignore lint/correctness/noEmptyPattern: this fixture depends on no other
  farm: async ({}, use) => withFarm(use),
});

function farmIn(store: Store, db: string, { ids, companies }: FarmIds): TestFarm {
  const runner = (asking: ToolCallOptions, source: WateringSource) =>
    new LocalRunner({
      store,
      operations: operationsByName,
      clock: () => farm.now,
      lang: asking.lang ?? 'en',
      source: asking.source ?? source,
      identify: (all) =>
        ownerIdentity(all, companies.get(asking.company ?? 'Mas Rouge')!, asking.caller),
    });
  const farm: TestFarm = {
    store,
    db,
    now: FARM_NOW,
    idOf: (name) => ids.get(name)!,
    async tool(name, sent = {}, asking = {}) {
      const tool = operationsByName.get(name)!;
      const operation = operationForArguments(tool, sent);
      const args = argumentsOfTarget(tool, operation, sent);
      const result = await runner(asking, 'mcp').run(operation, {
        rawArguments: args,
        idempotencyKey: asking.idempotencyKey,
        signal: asking.signal,
        spokenTimes: spokenTimesOf(operation, args),
        readArguments: (context) => readToolArguments(operation, args, context),
      });
      const isConcise = operation.concise !== undefined && args.detail !== 'full';
      const body = isConcise ? result.body : parsedBody(operation.name, result);
      return toToolResult(structuredBody(operation, body), result);
    },
    async wire(name, input = {}, asking = {}) {
      const operation = operationsByName.get(name)!;
      const result = await runner(asking, 'api').run(operation, {
        rawArguments: input,
        idempotencyKey: asking.idempotencyKey,
        signal: asking.signal,
        needsConfirmation: asking.needsConfirmation === true,
        isConfirmed: asking.isConfirmed === true,
        readArguments: async (context) => checkedArguments(operation, input, context),
      });
      const body = input.detail === 'concise' ? result.body : parsedBody(name, result);
      return toToolResult(body, result);
    },
    log: (module, fields, asking) =>
      farm.tool('log_watering', { module, detail: 'full', ...fields }, asking),
    correct: (event, fields, asking) =>
      farm.tool(
        'correct_watering',
        {
          eventId: event.id,
          startedAt: event.startedAt,
          inputMode: event.inputMode,
          detail: 'full',
          ...fields,
        },
        asking,
      ),
    waterings: async () =>
      (await farm.wire<{ data: WateringBody[] }>('list_waterings', { limit: 200 })).data,
    watering: async (id) => (await farm.waterings()).find((each) => each.id === id)!,
    declare: (module, fields) => farm.tool('set_module_installation', { module, ...fields }),
    declareParcel: (parcel, fields) => farm.tool('set_parcel_installation', { parcel, ...fields }),
    declareUnasked: async (module, fields) => {
      const { moduleId } = await farm.setup(module);
      return farm.wire('set_module_installation', { moduleId, ...fields });
    },
    correctVersion: (version, fields) =>
      farm.tool('correct_installation', { versionId: version.id, ...fields }),
    setup: (module) => farm.tool('get_irrigation_setup', { module }),
    createSchedule: (fields, asking) =>
      farm.tool(
        'create_schedule',
        {
          freq: 'daily',
          startTimes: ['06:00'],
          timezone: 'Europe/Paris',
          startsOn: iso(farm.now).slice(0, 10),
          ...(fields.inputMode === undefined ? { inputMode: 'duration', durationMin: 30 } : {}),
          ...fields,
        },
        asking,
      ),
    updateSchedule: ({ id }, fields) => farm.tool('update_schedule', { scheduleId: id, ...fields }),
    async occurrences(schedule) {
      const found: WateringBody[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: { data: WateringBody[]; next_cursor: string | null } = await farm.wire(
          'list_waterings',
          {
            limit: 200,
            scheduleId: schedule?.id,
            cursor: cursor ?? undefined,
          },
        );
        found.push(...page.data.filter(({ scheduleId }) => scheduleId !== null));
        cursor = page.next_cursor;
      }
      return found.sort(
        (a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.moduleId - b.moduleId,
      );
    },
    tick: (options) =>
      runHousekeepingRound(store, { now: farm.now, holder: 'the farm', ...options }),
    importFile: (fields) =>
      importFarm(store, JSON.stringify({ company: { name: 'Mas Rouge' }, ...fields }), farm.now),
    isWrittenBy: (body) => detectsWrites(store, db, body),
    write: (body) => store.write(companies.get('Mas Rouge')!, body),
  };
  return farm;
}

/** The company of id 1 in another store. */
export const companyIn = (store: Store, db: string): TestFarm =>
  farmIn(store, db, { ids: new Map(), companies: new Map([['Mas Rouge', 1]]) });

async function ownerIdentity(
  all: Kysely<Tables>,
  companyId: number,
  overrides: Partial<Caller> = {},
): Promise<Identity> {
  const company = (await companyById(all, companyId))!;
  const owner = await all
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', companyId)
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .executeTakeFirst();
  const userId = owner?.id ?? null;
  return {
    company,
    caller: { id: 'owner', companyId, userId, role: 'OWNER', scopes: SCOPES, ...overrides },
  };
}

/** Throws if the body does not match the operation's output schema. */
const parsedBody = (name: string, { body }: OperationResult): unknown =>
  operationsByName.get(name)!.output.parse(body);

const toToolResult = <Body>(
  body: unknown,
  { summary, next, isReplay: replayed, advisories, replayText }: OperationResult,
): ToolResult<Body> => ({
  ...(body as Body),
  summary: readText(summary),
  next: next.map(readText).join('; '),
  replayed,
  advisories,
  ...(replayText ? { replaySummary: readText(replayText.summary) } : {}),
});
