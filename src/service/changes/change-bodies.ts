import type { Caller } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import {
  type ChangeAction,
  type ChangedKind,
  type ChangedRowBody,
  READ_SCOPE_OF_KIND,
  type UndoneChangeBody,
} from '../../schema/changes/change.ts';
import type { Scope } from '../../schema/scope.ts';
import type { Change } from '../../store/changes/changes.ts';
import { allUsers } from '../../store/company/companies.ts';
import { wateringMapper } from '../../store/irrigation/watering-columns.ts';
import { camelRow } from '../../store/queries/camel-row.ts';
import type { ChangedRow, RowImage } from '../../store/scope/recorded-rows.ts';
import { toIso } from '../wire-format.ts';

/**
 * The readings of unassigned devices are not listed; the change of the device is listed instead.
 */
type ListedTable = Exclude<ChangedRow['table'], 'device_readings'>;
type ListedRow = ChangedRow & { readonly table: ListedTable };

const isListed = (row: ChangedRow): row is ListedRow => row.table !== 'device_readings';

const KINDS: Readonly<Record<ListedTable, ChangedKind>> = {
  companies: 'company',
  users: 'user',
  parcels: 'parcel',
  modules: 'module',
  sensors: 'sensor',
  devices: 'device',
  soil_layers: 'soil_layer',
  installation_versions: 'installation',
  placements: 'placement',
  probe_settings: 'settings',
  schedules: 'schedule',
  waterings: 'watering',
  rain: 'rain',
  weather_days: 'weather',
  annotations: 'annotation',
  alerts: 'alert',
  alert_recipients: 'alert_recipient',
};

export const scopeToRead = (table: ChangedRow['table']): Scope =>
  READ_SCOPE_OF_KIND[table === 'device_readings' ? 'device' : KINDS[table]];

export const mayReadRow = (
  caller: Pick<Caller, 'scopes'>,
  { table }: Pick<ChangedRow, 'table'>,
): boolean => caller.scopes.includes(scopeToRead(table));

export async function changeBodies({ db, caller }: Pick<Call, 'db' | 'caller'>, mostRows?: number) {
  const users = new Map((await allUsers(db)).map(({ id, name }) => [id, name]));
  return (change: Change): UndoneChangeBody => {
    const rows = (change.rows ?? []).filter(isListed);
    const readable = rows.filter((row) => mayReadRow(caller, row));
    return {
      id: change.id,
      at: toIso(change.at),
      operation: change.operation,
      surface: change.channel,
      userName: change.user_id === null ? null : (users.get(change.user_id) ?? null),
      undoes: change.undoes,
      effects: { counts: effectCounts(rows), rows: readable.slice(0, mostRows).map(rowBody) },
    };
  };
}

function actionOf({ before, after }: ChangedRow): ChangeAction {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}

function effectCounts(rows: readonly ListedRow[]): Record<string, number> {
  const effects: Record<string, number> = {};
  for (const row of rows) {
    const effect = `${KINDS[row.table]} ${actionOf(row)}`;
    effects[effect] = (effects[effect] ?? 0) + 1;
  }
  return effects;
}

/** Listed even if unchanged, because they identify the row. */
const IDENTIFYING_COLUMNS = [
  'module_id',
  'target_module_id',
  'parcel_id',
  'target_parcel_id',
  'started_at',
];

function rowBody(row: ListedRow): ChangedRowBody {
  const { table, key, before, after } = row;

  const differs = (column: string): boolean =>
    before === null ||
    after === null ||
    before[column] !== after[column] ||
    IDENTIFYING_COLUMNS.includes(column);

  return {
    kind: KINDS[table],
    id: String(key),
    before: fieldsOf(table, before, differs),
    after: fieldsOf(table, after, differs),
  };
}

/** Columns of instants in ms since 1970 UTC. */
const INSTANT_COLUMN = /_at$|^valid_(from|to)$|^auto_confirm_from$/;
/** Columns of JSON text. */
const JSON_COLUMN = /^(?:geometry|depths|depth_weights|weekdays|start_times|p1|p2|content)$/;

/** Columns of 0 or 1. */
const FLAG_COLUMN = /(?:^|_)is_/;
/** This column is not listed: it numbers rows in the order of their creation. */
const ORDER_COLUMN = 'seq';

/** Tables whose resource is described; the columns of others tell their type by their names. */
const MAPPERS: ReadonlyMap<ListedTable, Pick<typeof wateringMapper, 'toBodyOfCell'>> = new Map([
  ['waterings', wateringMapper],
]);

function fieldsOf(
  table: ListedTable,
  image: RowImage | null,
  isListedColumn: (column: string) => boolean,
): Record<string, unknown> | null {
  if (image === null) return null;
  const entries = Object.entries(image).filter(
    ([column]) => column !== ORDER_COLUMN && isListedColumn(column),
  );

  const mapper = MAPPERS.get(table);
  const toBody = (column: string, value: RowImage[string]): unknown =>
    mapper ? mapper.toBodyOfCell(column, value) : bodyValue(column, value);

  return camelRow(
    Object.fromEntries(entries.map(([column, value]) => [column, toBody(column, value)])),
  );
}

function bodyValue(column: string, value: RowImage[string]): unknown {
  if (typeof value === 'number' && INSTANT_COLUMN.test(column)) return toIso(value);
  if (typeof value === 'number' && FLAG_COLUMN.test(column)) return value === 1;
  return typeof value === 'string' && JSON_COLUMN.test(column) ? JSON.parse(value) : value;
}
