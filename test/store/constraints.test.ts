import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isConstraintViolation } from '../../src/store/changes/reversals.ts';
import type { CompanyDb, CompanyTables } from '../../src/store/tables.ts';
import {
  alertRow,
  alertStateRow,
  annotationRow,
  installationRow,
  messageRow,
  wateringRow,
} from './sample-rows.ts';
import { onEachStore } from './temporary-stores.ts';

type Row = readonly [table: keyof CompanyTables, columns: object];

const insertRows = async (db: CompanyDb, ...rows: readonly Row[]): Promise<void> => {
  for (const [table, columns] of rows)
    await db
      .insertInto(table)
      .values(columns as never)
      .execute();
};

const alert = ['alerts', alertRow(1, 1, 'x')] as const satisfies Row;

/**
 * Rows that each needs first, and the row that can be stored once; a function where ids must
 * differ.
 */
const UNIQUE: Record<string, readonly [() => Row, ...Row[]]> = {
  "a user's e-mail address": [() => ['users', { email: 'a@b', name: 'A', role: 'OWNER' }]],
  "a parcel's name": [() => ['parcels', { name: 'South' }]],
  "a gateway's IMEI": [() => ['gateways', { imei: '1', assigned_at: 0 }]],
  "a module's name": [() => ['modules', { uid: randomUUID(), name: 'South 1' }]],
  "a module's uid": [() => ['modules', { uid: 'B2' }]],
  'a sensor of one type at one depth': [
    () => ['sensors', { module_id: 1, type: 'humidity', depth: 10 }],
  ],
  'a sensor of one type without a depth': [
    () => ['sensors', { module_id: 1, type: 'humidity', depth: null }],
  ],
  "the start of a probe's installation": [() => ['installation_versions', installationRow(1, 'x')]],
  "the start of a parcel's installation": [
    () => [
      'installation_versions',
      { ...installationRow(1, 'x'), scope: 'parcel', module_id: null, parcel_id: 1 },
    ],
  ],
  "a probe's placement": [() => ['placements', { module_id: 1, set_at: 0 }]],
  'the instant of a reading': [() => ['readings', { sensor_id: 1, at: 0, value: 1 }]],
  'the scheduled start of an occurrence': [
    () => [
      'waterings',
      { ...wateringRow(1, 'x', 0), schedule_id: 1, scheduled_start: '2026-07-01T06:00' },
    ],
  ],
  'the alert of a line': [() => ['alerts', { ...alertRow(1, 1, 'x'), id: randomUUID() }]],
  'a recipient of an alert': [
    () => ['alert_recipients', { id: randomUUID(), alert_id: 'alert-x', user_id: 1 }],
    alert,
  ],
  'the state of an alert': [() => ['alert_states', alertStateRow('x')], alert],
  'the start of an episode': [
    () => ['alert_episodes', { alert_id: 'alert-x', started_at: 0, lowest: 1 }],
    alert,
  ],
  'an idempotency key': [
    () => [
      'idempotency',
      {
        caller: 'c',
        operation: 'o',
        key: 'k',
        fingerprint: 'f',
        body: 'b',
        advisories: '[]',
        created_at: 0,
      },
    ],
  ],
};

const INVALID: Record<string, readonly [...Row[], Row]> = {
  'an unknown status': [['waterings', { ...wateringRow(1, 'x', 0), status: 'maybe' }]],
  'a wetted fraction of 0': [
    ['installation_versions', { ...installationRow(1, 'x'), fraction_wetted: 0 }],
  ],
  'a wetted fraction above 1': [
    ['installation_versions', { ...installationRow(1, 'x'), fraction_wetted: 1.01 }],
  ],
  'an installation that ends before it starts': [
    ['installation_versions', { ...installationRow(1, 'x'), valid_from: 5, valid_to: 4 }],
  ],
  'an installation of an unknown scope': [
    ['installation_versions', { ...installationRow(1, 'x'), scope: 'farm' }],
  ],
  'an installation of both a probe and a parcel': [
    ['installation_versions', { ...installationRow(1, 'x'), parcel_id: 1 }],
  ],
  'a watering of a missing module': [['waterings', wateringRow(9, 'x', 0)]],
  'a drawing with a unit on a chart without units': [
    ['annotations', { ...annotationRow(1, 1, 'x'), chart_type: 'tensio' }],
  ],
  'a drawing of a missing user': [['annotations', annotationRow(1, 9, 'x')]],
  'an alert of an unknown source': [['alerts', { ...alertRow(1, 1, 'x'), source: 'rain' }]],
  'an alert created from a line without the line': [
    ['alerts', { ...alertRow(1, 1, 'x'), annotation_id: null }],
  ],
  'the state of a missing alert': [['alert_states', alertStateRow('x')]],
  'a firing alert without a start': [
    alert,
    ['alert_states', { ...alertStateRow('x'), since: null }],
  ],
  'a message of an unknown kind': [alert, ['outbox', { ...messageRow(1, 'x'), kind: 'greeting' }]],
  'text in a column of numbers': [['readings', { sensor_id: 1, at: 0, value: 'wet' }]],
  'a fraction of a millisecond': [['readings', { sensor_id: 1, at: 0.5, value: 1 }]],
};

onEachStore((withStore) => {
  const withModule = (body: (write: (...rows: readonly Row[]) => Promise<void>) => Promise<void>) =>
    withStore(async (store) => {
      const write = (...rows: readonly Row[]) => store.write(1, (db) => insertRows(db, ...rows));
      await write(
        ['parcels', { name: 'North' }],
        ['modules', { uid: 'A1', name: 'North 1' }],
        ['users', { email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
      );
      await body(write);
    });

  describe('a company', () => {
    it.each(Object.entries(UNIQUE))('cannot have twice: %s', (_, [row, ...needed]) =>
      withModule(async (write) => {
        await write(...needed, row());
        const error = await write(row()).catch((error: unknown) => error);
        expect(error).toMatchObject({ message: expect.stringMatching(/unique/i) });
        expect(isConstraintViolation(error)).toBe(true);
      }),
    );

    it('has its violated unique names and references recognized, with `returning` too', () =>
      withStore(async (store) => {
        const add = () =>
          store.write(1, (db) =>
            db.insertInto('parcels').values({ name: 'A' }).returning('id').execute(),
          );
        const addStray = () =>
          store.write(1, (db) =>
            db.insertInto('sensors').values({ module_id: 9, type: 'humidity' }).execute(),
          );
        const addWrong = () =>
          store.write(1, (db) =>
            db.insertInto('readings').values({ sensor_id: 1, at: 0.5, value: 1 }).execute(),
          );
        await add();
        expect(await add().catch(isConstraintViolation)).toBe(true);
        expect(await addStray().catch(isConstraintViolation)).toBe(true);
        expect(await addWrong().catch(isConstraintViolation)).toBe(false);
      }));

    it('can have several modules without a name', () =>
      withModule((write) => write(['modules', { uid: 'B1' }], ['modules', { uid: 'B2' }])));

    it.each(Object.entries(INVALID))('cannot have: %s', (_, rows) =>
      withModule(async (write) => {
        await write(...rows.slice(0, -1));
        await expect(write(rows.at(-1)!)).rejects.toThrow();
      }),
    );
  });
});
