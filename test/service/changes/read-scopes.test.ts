import { describe, expect } from 'vitest';
import { entryOf } from '../../../src/domain/items.ts';
import { CONFIRMATION_REQUIRED } from '../../../src/operation/rest-conventions.ts';
import type { ChangeBody } from '../../../src/schema/changes/change.ts';
import { SCOPES, type Scope } from '../../../src/schema/scope.ts';
import {
  CHANGED_KINDS,
  CHANGED_TABLES,
  type ChangedKind,
  TABLES,
} from '../../../src/schema/tables/index.ts';
import { insertChange } from '../../../src/store/changes/changes.ts';
import type { ChangedRow } from '../../../src/store/scope/recorded-rows.ts';
import { operationsByName } from '../../../tools/index.ts';
import { FARM_NOW, farmsFilledWith, it, minutesAt, type TestFarm } from '../../farm.ts';

/**
 * The operation that reads each kind; a recipient is read with its alert, a sensor with its probe.
 */
const READ_BY: Readonly<Record<ChangedKind, string>> = {
  watering: 'list_waterings',
  rain: 'list_rain',
  weather: 'get_weather',
  schedule: 'list_schedules',
  installation: 'get_irrigation_setup',
  placement: 'get_irrigation_setup',
  settings: 'get_irrigation_setup',
  soil_layer: 'get_soil_profile',
  season: 'list_parcels',
  alert: 'list_alerts',
  alert_recipient: 'list_alerts',
  annotation: 'list_annotations',
  company: 'get_company',
  user: 'list_users',
  parcel: 'list_parcels',
  water_source: 'list_water_sources',
  module: 'list_modules',
  sensor: 'get_module',
  device: 'list_devices',
};

const SCOPES_BY_KIND = new Map(
  CHANGED_TABLES.map((table) => [TABLES[table].changes.kind, TABLES[table].changes.readScope]),
);
const readScopeOf = (kind: ChangedKind): Scope => entryOf(SCOPES_BY_KIND, kind);
const secretOf = (table: string): string => `secret of ${table}`;

/** One change for each table, whose rows have a text that only they have. */
const withRecordedChanges = farmsFilledWith(async (farm) => {
  for (const table of CHANGED_TABLES) {
    const image = {
      id: 1,
      module_id: farm.idOf('North 1'),
      name: secretOf(table),
      note: secretOf(table),
    };
    const row: ChangedRow = {
      table,
      key: 1,
      before: { ...image, name: 'old', note: null },
      after: image,
    };
    const written = { at: FARM_NOW, caller: 'key:other', user_id: null, channel: 'api' as const };
    const change = {
      ...written,
      operation: table,
      scope: 'company:write',
      undoes: null,
      rows: [row],
    };
    await farm.write((db) => insertChange(db, change));
  }
});

interface Answer {
  readonly data: ChangeBody[];
  readonly summary: string;
  readonly next: string;
}

interface Query {
  readonly moduleId?: number;
  readonly limit?: number;
}

const SURFACES = {
  'over REST': (farm: TestFarm, { moduleId, limit = 50 }: Query, scopes: readonly Scope[]) => {
    const input = moduleId === undefined ? { limit } : { moduleId, limit };
    return farm.wire<Answer>('list_changes', input, { caller: { scopes } });
  },
  'as a tool': (farm: TestFarm, { moduleId, limit = 50 }: Query, scopes: readonly Scope[]) => {
    const args = moduleId === undefined ? { limit } : { module: `#${moduleId}`, limit };
    return farm.tool<Answer>('list_changes', args, { caller: { scopes } });
  },
};

const readableKinds = (scopes: readonly Scope[]): ChangedKind[] =>
  CHANGED_KINDS.filter((kind) => scopes.includes(readScopeOf(kind)));

const scopeSets = SCOPES.flatMap((scope): [string, Scope[]][] => [
  [`only ${scope}`, [...new Set<Scope>(['company:read', scope])]],
  [`all but ${scope}`, SCOPES.filter((each) => each === 'company:read' || each !== scope)],
]);

describe('the scope of a kind of row', () => {
  it.each(CHANGED_KINDS)('is that of the operation which reads it: %s', (kind) => {
    expect(operationsByName.get(READ_BY[kind])?.scope).toBe(readScopeOf(kind));
  });
});

describe.each(Object.entries(SURFACES))('list_changes %s', (_, list) => {
  it.each(scopeSets)(
    'shows the rows that %s may read, and of the others that they changed',
    (_, scopes) =>
      withRecordedChanges(async (farm) => {
        const readable = readableKinds(scopes);
        for (const limit of [1, 50]) {
          const answer = await list(farm, { limit }, scopes);
          const shown = answer.data.flatMap(({ effects }) => effects.rows);
          expect(shown.filter(({ kind }) => !readable.includes(kind))).toEqual([]);
          const text = JSON.stringify(answer);
          for (const { operation: table, effects } of answer.data) {
            if (effects.rows.length > 0) expect(text).toContain(secretOf(table));
            else expect(text).not.toContain(secretOf(table));
          }
          if (limit === 1) continue;
          expect(shown.map(({ kind }) => kind).sort()).toEqual([...readable].sort());
          const counted = answer.data.flatMap(({ effects }) => Object.keys(effects.counts));
          expect(counted.sort()).toEqual(CHANGED_KINDS.map((kind) => `${kind} changed`).sort());
          const missing = [...new Set(CHANGED_KINDS.map((kind) => readScopeOf(kind)))].filter(
            (scope) => !scopes.includes(scope),
          );
          for (const scope of missing) expect(answer.next).toContain(scope);
          if (missing.length === 0) expect(answer.summary).not.toContain('not shown');
        }
      }),
  );

  it('finds by probe only the rows that may be read', () =>
    withRecordedChanges(async (farm) => {
      const input = { moduleId: farm.idOf('North 1'), limit: 50 };
      const all = await list(farm, input, SCOPES);
      expect(all.data.map(({ operation }) => operation)).toContain('annotations');
      const some = await list(farm, input, ['company:read', 'readings:read']);
      expect(some.data.map(({ operation }) => operation)).toContain('waterings');
      expect(some.data.map(({ operation }) => operation)).not.toContain('annotations');
      expect(some.next).toContain('annotations:read');
      const none = await list(farm, input, ['company:read']);
      expect(none.data.map(({ operation }) => operation).sort()).toEqual(['companies', 'users']);
    }));
});

describe('names', () => {
  const annotate = (farm: TestFarm) =>
    farm.wire('create_annotation', {
      moduleId: farm.idOf('North 1'),
      type: 'text',
      p1: [FARM_NOW, 30],
      text: 'a hidden leak',
    });

  it('of probes are in the sentence about a change only with the scope to list probes', async ({
    farm,
  }) => {
    await annotate(farm);
    const summaryWith = async (...scopes: Scope[]) =>
      (await SURFACES['over REST'](farm, {}, ['company:read', ...scopes])).summary;
    expect(await summaryWith('annotations:read', 'readings:read')).toContain('North 1');
    expect(await summaryWith('annotations:read')).not.toContain('North 1');
    expect(await summaryWith()).toMatch(/ by Ana, [^:]*: 1 drawing added\./);
  });

  it('of parcels, too', async ({ farm }) => {
    await farm.declareParcel('North block', { system: 'drip', flowMmPerH: 2 });
    const summaryWith = async (...scopes: Scope[]) =>
      (await SURFACES['as a tool'](farm, {}, ['company:read', ...scopes])).summary;
    expect(await summaryWith('readings:read', 'parcels:read')).toContain('North block');
    expect(await summaryWith('readings:read')).not.toContain('North block');
  });
});

describe('undo shows no row without the scope to read it', () => {
  const log = (farm: TestFarm, caller = 'owner') =>
    farm.log('North 1', minutesAt(FARM_NOW, 30, { note: 'a hidden note' }), {
      caller: { id: caller },
    });
  const writer = { id: 'key:writer', scopes: ['irrigation:write'] as const };
  const changes = async (farm: TestFarm) => (await farm.wire<Answer>('list_changes')).data;

  it('in its answer', async ({ farm }) => {
    await log(farm, writer.id);
    const { undone, summary } = await farm.wire<{ undone: ChangeBody; summary: string }>(
      'undo',
      { changeId: 'latest' },
      { caller: writer },
    );
    expect(undone).toMatchObject({ operation: 'log_watering', userName: 'Ana' });
    expect(undone.effects).toEqual({ counts: { 'watering added': 1 }, rows: [] });
    expect(summary).toMatch(/^Undone: 1 watering removed\./);
    expect(summary).not.toContain('North 1');
  });

  it('in the question to the person', async ({ farm }) => {
    await log(farm);
    const [logged] = await changes(farm);
    const ask = (scopes: readonly Scope[]) =>
      farm
        .wire(
          'undo',
          { changeId: logged!.id },
          { caller: { id: 'key:writer', scopes }, needsConfirmation: true },
        )
        .catch((error) => error);
    expect(await ask(SCOPES)).toMatchObject({
      code: CONFIRMATION_REQUIRED,
      message: expect.stringContaining('North 1'),
    });
    const question = await ask(writer.scopes);
    expect(question).toMatchObject({
      code: CONFIRMATION_REQUIRED,
      message: expect.stringContaining('1 watering'),
    });
    expect(question.message).not.toMatch(/North 1|hidden/);
  });

  it('in a refusal', async ({ farm }) => {
    const { event } = await log(farm, writer.id);
    const [logged] = await changes(farm);
    await farm.correct(event, { durationMin: 40 });
    const refusal = await farm
      .wire('undo', { changeId: logged!.id }, { caller: writer })
      .catch((error) => error);
    expect(refusal.code).toBe('CHANGE_NOT_UNDOABLE');
    expect(refusal.message).toContain(`watering (#${event.id}) was changed since`);
    expect(refusal.message).not.toContain('North 1');
  });
});
