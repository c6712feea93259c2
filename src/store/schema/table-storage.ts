import { HOUR_MS } from '../../domain/periods.ts';
import type { TABLES, TableName } from '../../schema/tables/index.ts';

// How the tables of src/schema/tables are stored, where that does not follow from their description:
// indexes, checks, computed columns.

interface Index {
  /** Names of columns, or expressions. In a table of a company they follow the company. */
  readonly on: readonly string[];
  readonly where?: string;
  readonly isUnique?: true;
  /** It begins with its columns, for searches in all companies. */
  readonly isAcrossCompanies?: true;
}

export interface TableStorage<Column extends string = string> {
  /** False for a table without sequence that is not stored in the order of its key. */
  readonly isClustered?: false;
  /** False for rows that refer to their company through another table, or stay after it. */
  readonly refersToCompany?: false;
  /** PostgreSQL has a partition for each month of this instant. */
  readonly partitionedBy?: Column;
  /** PostgreSQL finds a row by each of these without knowing the company. */
  readonly foundAlone?: readonly Column[];
  /** References with whose row the database deletes this one. */
  readonly cascading?: readonly Column[];
  /** Columns whose values the program alone checks, so that it may add one without a migration. */
  readonly unchecked?: readonly Column[];
  /** The keys are their names, without that of the table. */
  readonly checks?: Readonly<Record<string, string>>;
  readonly computed?: { readonly [Name in Column]?: string };
  /** The keys are their names, without that of the table. */
  readonly indexes?: Readonly<Record<string, Index>>;
  /** Names of constraints, without that of the table, where the column has another one. */
  readonly constraintNames?: { readonly [Name in Column]?: string };
}

const ofCompany = (...on: string[]): Index => ({ on });
const unique = (...on: string[]): Index => ({ on, isUnique: true });
const acrossCompanies = (...on: string[]): Index => ({ on, isAcrossCompanies: true });

// A watering of two hours or more contains a multiple of two hours since 1970. Its node is one of
// these that is a multiple of 1,024 hours, else of 512, and so on. No watering contains two
// multiples of 1,024 hours, because it lasts at most 31 days.

const STEPS_HOURS = [1024, 512, 256, 128, 64, 32, 16, 8, 4, 2];

const DURATION_MS = '(duration_min * 60000)';
const LAST_MS = `(started_at + ${DURATION_MS} - 1)`;

const nodeAtStep = (stepMs: number): string =>
  `when ${LAST_MS} % ${stepMs} < ${DURATION_MS} then ${LAST_MS} - ${LAST_MS} % ${stepMs}`;

const INTERVAL_NODE = `case when duration_min < 120 or status = 'skipped' then null
  ${STEPS_HOURS.map((hours) => nodeAtStep(hours * HOUR_MS)).join('\n  ')} end`;

const BY_MODULE_AND_START = ['module_id', 'started_at', 'id'];

/** References of other tables need it. */
const BY_ID = { by_id: unique('id') };

type Storages = {
  readonly [Name in TableName]?: TableStorage<ColumnNameOf<Name>>;
};

type ColumnNameOf<Name extends TableName> = keyof (typeof TABLES)[Name]['columns'] & string;

const storages: Storages = {
  companies: { unchecked: ['units'] },
  users: { indexes: { by_email: unique('email'), ...BY_ID } },
  parcels: { foundAlone: ['id'], indexes: { ...BY_ID, by_name: unique('name') } },
  seasons: { unchecked: ['stage'], indexes: { by_parcel: ofCompany('parcel_id') } },
  gateways: { indexes: { ...BY_ID, by_imei: unique('imei') } },
  modules: {
    foundAlone: ['id'],
    unchecked: ['category', 'location_source'],
    indexes: {
      ...BY_ID,
      by_uid: unique('uid'),
      by_name: unique('name'),
      by_parcel: ofCompany('parcel_id'),
    },
  },

  sensors: {
    unchecked: ['type'],
    // Two nulls are two values to a unique index, hence one index for each case.
    indexes: {
      by_depth: { ...unique('module_id', 'type', 'depth'), where: 'depth is not null' },
      without_depth: { ...unique('module_id', 'type'), where: 'depth is null' },
    },
  },
  soil_layers: {
    checks: { depths: 'depth_bottom_cm > depth_top_cm' },
    indexes: { by_parcel: ofCompany('parcel_id') },
  },
  readings: { partitionedBy: 'at' },

  installation_versions: {
    foundAlone: ['id'],
    unchecked: ['scope', 'system'],
    checks: {
      target: `(scope = 'module' and module_id is not null and parcel_id is null)
        or (scope = 'parcel' and parcel_id is not null and module_id is null)`,
      fraction: 'fraction_wetted > 0 and fraction_wetted <= 1',
      flag: 'fraction_wetted_is_default in (0, 1)',
      period: 'valid_to is null or valid_to >= valid_from',
    },
    indexes: {
      by_module: { ...unique('module_id', 'valid_from'), where: 'module_id is not null' },
      by_parcel: { ...unique('parcel_id', 'valid_from'), where: 'parcel_id is not null' },
    },
  },
  placements: { isClustered: false },
  schedules: {
    foundAlone: ['id'],
    unchecked: ['input_mode'],
    checks: { target: '(target_module_id is null) <> (target_parcel_id is null)' },
    indexes: { by_company: unique('id') },
    constraintNames: {
      target_module_id: 'module',
      target_parcel_id: 'parcel',
      confirmation_policy: 'policy',
    },
  },
  // A note stays with the changes of a company that was deleted.
  irrigation_notes: { refersToCompany: false },
  waterings: {
    foundAlone: ['id'],
    unchecked: ['dose_system'],
    checks: {
      flags: 'is_detached in (0, 1) and dose_fraction_wetted_is_default in (0, 1)',
      fraction:
        'dose_fraction_wetted is null or (dose_fraction_wetted > 0 and dose_fraction_wetted <= 1)',
      target: '(module_id is null) <> (parcel_id is null)',
    },
    constraintNames: { input_mode: 'mode', dose_scope: 'scope' },
    computed: { ended_at: `started_at + ${DURATION_MS}`, interval_node: INTERVAL_NODE },
    indexes: {
      by_module: ofCompany(...BY_MODULE_AND_START),
      by_scheduled_start: {
        ...unique('schedule_id', 'module_id', 'scheduled_start'),
        where: 'schedule_id is not null',
      },
      by_schedule: {
        ...ofCompany('schedule_id', 'status', 'started_at'),
        where: 'schedule_id is not null',
      },
      // A schedule can have thousands of waterings, but few that a person has edited.
      edited: { ...ofCompany('schedule_id'), where: 'is_detached = 1' },
      // A probe can have thousands of planned waterings, but few without a dose, or that no
      // schedule changes.
      without_dose: {
        ...ofCompany(...BY_MODULE_AND_START),
        where: 'water_mm is null or dose_installation_id is null',
      },
      by_hand: {
        ...ofCompany(...BY_MODULE_AND_START),
        where: 'schedule_id is null or is_detached = 1',
      },
      long_by_end: {
        ...ofCompany('module_id', 'interval_node', 'ended_at'),
        where: 'interval_node is not null',
      },
      long_by_start: {
        ...ofCompany('module_id', 'interval_node', 'started_at'),
        where: 'interval_node is not null',
      },
      // A list reads the rows of its page and no others, and adds up the rest in slices of an
      // index. There is one for each status, because thousands of planned waterings may start after
      // the newest one that is done. Of two indexes that SQLite takes for equally good it uses the
      // older one, so these come last: a list of the waterings of one schedule must not read those
      // of the whole company.
      done: { ...ofCompany('started_at', 'id'), where: "status = 'done'" },
      planned: { ...ofCompany('started_at', 'id'), where: "status = 'planned'" },
      skipped: { ...ofCompany('started_at', 'id'), where: "status = 'skipped'" },
      by_parcel: {
        ...ofCompany('parcel_id', 'started_at', 'id'),
        where: 'parcel_id is not null',
      },
      of_parcels_by_time: {
        ...ofCompany('started_at', 'id'),
        where: 'parcel_id is not null',
      },
      of_parcel_by_scheduled_start: {
        ...unique('schedule_id', 'parcel_id', 'scheduled_start'),
        where: 'schedule_id is not null and parcel_id is not null',
      },
    },
  },

  rain: {
    foundAlone: ['id'],
    indexes: {
      by_start: ofCompany('started_at', 'id'),
      by_gauge: {
        ...unique('module_id', 'is_whole_day', 'started_at'),
        where: 'module_id is not null',
      },
      moved: { ...ofCompany('module_id'), where: 'gauge_time is not null' },
    },
  },

  annotations: {
    foundAlone: ['id'],
    unchecked: ['chart_type', 'type'],
    checks: {
      unit: `(unit in ('vwc', 'vwc_max', 'mm') and chart_type in ('humidity', 'humidity-detail'))
        or (unit is null and chart_type not in ('humidity', 'humidity-detail'))`,
    },
    indexes: { by_module: ofCompany('module_id', 'chart_type', 'seq') },
    constraintNames: { user_id: 'author' },
  },
  alerts: {
    foundAlone: ['id'],
    checks: {
      line: "source = 'manual' or annotation_id is not null",
      flag: 'is_active in (0, 1)',
    },
    indexes: {
      ...BY_ID,
      by_line: { ...unique('annotation_id'), where: 'annotation_id is not null' },
      by_module: ofCompany('module_id', 'seq'),
      by_company: ofCompany('seq'),
    },
    constraintNames: { created_by: 'author' },
  },
  alert_recipients: { foundAlone: ['id'], indexes: { once: unique('alert_id', 'user_id') } },
  alert_states: {
    isClustered: false,
    checks: {
      flags: `is_firing in (0, 1) and notified_firing in (0, 1) and notified_stale in (0, 1)
        and is_rule_changed in (0, 1)`,
      since: '(is_firing = 1) = (since is not null)',
    },
    indexes: {
      // Alerts to evaluate are found after each batch of readings, among those of the whole company.
      pending: { ...ofCompany(), where: 'pending_marks > evaluated_marks' },
      by_due: ofCompany('due_at'),
    },
  },
  alert_episodes: {
    checks: { period: 'ended_at is null or ended_at >= started_at' },
    indexes: { by_start: unique('alert_id', 'started_at') },
  },
  outbox: {
    refersToCompany: false,
    foundAlone: ['id'],
    checks: { sent: "(state = 'sent') = (sent_at is not null)" },
    indexes: {
      by_attempt: { ...acrossCompanies('next_attempt_at', 'seq'), where: "state = 'waiting'" },
      by_alert: ofCompany('alert_id', 'state'),
      undelivered: { ...acrossCompanies('seq'), where: "state != 'sent'" },
    },
  },

  devices: { refersToCompany: false },
  device_readings: {
    refersToCompany: false,
    checks: { flag: 'is_day_total in (0, 1)' },
    // Two nulls are two values to a unique index.
    indexes: {
      once: unique(
        'device',
        'at',
        'type',
        'coalesce(position, -1)',
        'coalesce(depth_cm, -1)',
        'coalesce(minutes, -1)',
        'is_day_total',
      ),
    },
  },
  device_periods: {
    checks: { flag: 'is_shared in (0, 1)' },
    indexes: { by_sensor: ofCompany('sensor_id') },
  },

  api_keys: { foundAlone: ['id', 'hash'] },
  sessions: { foundAlone: ['id', 'hash'], cascading: ['user_id'] },

  idempotency: { isClustered: false, indexes: { by_age: ofCompany('created_at') } },
  changes: {
    // The change that deletes a company stays.
    refersToCompany: false,
    foundAlone: ['id'],
    unchecked: ['channel'],
    indexes: {
      by_caller: ofCompany('caller', 'id'),
      by_undone: { ...ofCompany('undoes', 'id'), where: 'undoes is not null' },
      by_company: ofCompany('id'),
    },
  },

  leases: { isClustered: false },
  secrets: { isClustered: false },
  backup_folders: { isClustered: false, unchecked: ['failure'] },
  job_rounds: { isClustered: false, checks: { mail_server: 'has_mail_server in (0, 1)' } },
};

export const TABLE_STORAGE: ReadonlyMap<string, TableStorage> = new Map(Object.entries(storages));
