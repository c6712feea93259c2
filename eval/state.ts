import { padTwo } from '../src/domain/calendar.ts';
import { MINUTE_MS } from '../src/domain/periods.ts';
import { civilAt } from '../src/domain/time-zone.ts';
import { readToolArguments } from '../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../src/operation/local/local-runner.ts';
import { lastReadings } from '../src/store/moisture/reading-lookup.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { operationsByName } from '../tools/index.ts';

/** Rows by a key that a person can read, such as "watering North 1 2026-07-13 06:00". */
export type FarmState = Readonly<Record<string, Row>>;
export type Row = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: answers of any operation
type Body = any;
type Read = (operation: string, args?: Record<string, unknown>) => Promise<Body>;

/** Audit fields and ids say nothing about what a person wants; the rest is compared. */
const IGNORED = new Set(
  'id companyId moduleId parcelId scheduleId module_id parcel_id targetModuleId targetParcelId materializedUntil createdAt updatedAt created_at updated_at createdBy user_id setAt timestamp_start configSnapshot waterMmWetted validFrom irrigationId irrigation_id endedAt startedAt source recipients state annotationId location gateway uid soil_horizon_id horizon_name theta_fc theta_pwp probe_id scope summary'.split(
    ' ',
  ),
);

/** A little after the clock of the story, so that what was written at that instant is in force. */
const LATER_MS = 10 * MINUTE_MS;

export async function readState(db: string, clock: string): Promise<FarmState> {
  const store = await openStore({ db });
  try {
    const runner = new LocalRunner({
      store,
      operations: operationsByName,
      clock: () => Date.parse(clock) + LATER_MS,
      lang: 'en',
    });
    const read: Read = async (name, args = {}) => {
      const operation = operationsByName.get(name)!;
      const { fullBody } = await runner.run(operation, {
        rawArguments: args,
        wantsSummary: false,
        readArguments: (context) => readToolArguments(operation, args, context),
      });
      return fullBody;
    };
    const company = await read('get_company').catch(() => null);
    return company === null ? {} : await new StateReader(store, read, company).readAll();
  } finally {
    await store.close();
  }
}

class StateReader {
  private readonly rows: Record<string, Row> = {};
  private readonly names = new Map<string, string>();

  private readonly store: Store;
  private readonly read: Read;
  private readonly company: Body;

  constructor(store: Store, read: Read, company: Body) {
    this.store = store;
    this.read = read;
    this.company = company;
  }

  async readAll(): Promise<FarmState> {
    this.add('company', this.company);
    const parcels = await this.list('list_parcels');
    const modules = await this.list('list_modules', { detail: 'full' });
    for (const { id, name } of parcels) this.names.set(`parcel ${id}`, name);
    for (const { id, name, uid } of modules) this.names.set(`module ${id}`, name ?? uid);
    for (const parcel of parcels) await this.addParcel(parcel);
    const versions = new Map<number, Body>();
    for (const module of modules) await this.addModule(module, versions);
    for (const version of [...versions.values()].sort((a, b) => a.id - b.id))
      this.add(`setup ${this.nameOf(version)} ${this.localTime(version.validFrom)}`, {
        ...version,
        validTo: version.validTo && this.localTime(version.validTo),
      });
    await this.addWaterings();
    for (const rain of await this.list('list_rain'))
      this.add(`rain ${rain.parcelId === null ? 'farm' : this.nameOf(rain)} ${rain.day}`, rain);
    for (const schedule of await this.list('list_schedules'))
      this.add(`schedule ${this.targetOf(schedule)}`, schedule);
    for (const alert of await this.list('list_alerts'))
      this.add(`alert ${this.nameOf(alert)}`, alert);
    return this.rows;
  }

  private async addParcel(parcel: Body): Promise<void> {
    this.add(`parcel ${parcel.name}`, parcel);
    for (const layer of (await this.read('get_soil_profile', { parcel: `#${parcel.id}` })).data)
      this.add(`soil ${parcel.name} ${layer.depth_top_cm}-${layer.depth_bottom_cm}`, layer);
  }

  private async addModule(module: Body, versions: Map<number, Body>): Promise<void> {
    const name = this.names.get(`module ${module.id}`)!;
    const target = { module: `#${module.id}` };
    const setup = await this.read('get_irrigation_setup', target);
    for (const version of setup.versions) versions.set(version.id, version);
    this.add(`module ${name}`, {
      ...module,
      parcel: this.names.get(`parcel ${module.parcelId}`) ?? null,
      sensors: module.sensors.map(sensorName),
    });
    if (setup.placement) this.add(`placement ${name}`, setup.placement);
    if (setup.settings) this.add(`settings ${name}`, setup.settings);
    await this.addNewestReadings(name, module.sensors);
    for (const type of new Set<string>(module.sensors.map(({ type }: Body) => type)))
      for (const drawing of (
        await this.read('list_annotations', { ...target, chartType: type, limit: 200 })
      ).data)
        this.add(`drawing ${name} ${drawing.type}`, drawing);
  }

  /** An import of readings is recognised by the newest three of each sensor. */
  private async addNewestReadings(module: string, sensors: Body[]): Promise<void> {
    const asRead = sensors.map(({ id }) => ({ id, calibration: [] }));
    const newest = await this.store.read(this.company.id, (db) =>
      lastReadings(db, asRead, Number.MAX_SAFE_INTEGER, 3),
    );
    for (const [index, readings] of newest.entries())
      if (readings.length > 0)
        this.add(`reading ${module} ${sensorName(sensors[index])}`, {
          time: this.localTime(new Date(readings.at(-1)!.at).toISOString()),
          values: readings.map(({ value }) => value),
        });
  }

  /** Leaves out what a schedule planned and nobody changed: it follows from the schedule. */
  private async addWaterings(): Promise<void> {
    const waterings = await this.list('list_waterings', {
      from: '1970-01-02',
      to: '2036-01-01',
      detail: 'full',
    });
    for (const each of waterings.sort((a, b) => a.id - b.id))
      if (each.scheduleId === null || each.isDetached || each.status !== 'planned')
        this.add(`watering ${this.nameOf(each)} ${this.localTime(each.startedAt)}`, {
          ...each,
          verifiedAt: undefined,
          isConfirmed: each.verifiedAt !== null,
        });
  }

  private async list(operation: string, args: Record<string, unknown> = {}): Promise<Body[]> {
    const rows: Body[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.read(operation, { ...args, limit: 200, ...(cursor && { cursor }) });
      rows.push(...page.data);
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined) return rows;
    }
  }

  private nameOf({ moduleId, parcelId }: Body): string {
    return this.names.get(moduleId ? `module ${moduleId}` : `parcel ${parcelId}`) ?? 'nothing';
  }

  private targetOf({ targetModuleId, targetParcelId }: Body): string {
    return this.nameOf({ moduleId: targetModuleId, parcelId: targetParcelId });
  }

  private add(key: string, row: Body): void {
    let unique = key;
    for (let nth = 2; unique in this.rows; nth++) unique = `${key} (${nth})`;
    this.rows[unique] = Object.fromEntries(
      Object.entries(row).filter(([field, value]) => value !== undefined && !IGNORED.has(field)),
    );
  }

  private localTime(instant: string): string {
    const { year, month, day, hour, minute } = civilAt(Date.parse(instant), this.company.timezone);
    return `${year}-${padTwo(month)}-${padTwo(day)} ${padTwo(hour)}:${padTwo(minute)}`;
  }
}

const sensorName = ({ type, depth }: Body): string => (depth === null ? type : `${type} ${depth}`);
