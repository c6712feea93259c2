import { z } from 'zod/v3';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { readPages } from '../domain/list-pages.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { UNIT_SYSTEMS, type UnitSystem, unitSystemOf } from '../domain/units.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../language/default-names.ts';
import { langOfCountry } from '../language/index.ts';
import type { NameDirectory, NamedModule } from '../language/summary-context.ts';
import type { ReadingFormats } from '../operation/rest-conventions.ts';
import { DEFAULT_TIME_ZONE } from '../schema/company/company.ts';
import { AcequiaError } from '../schema/error.ts';
import { nameOutput } from '../schema/shared-fields.ts';
import { RemoteCache } from './service/cache.ts';
import { monotonicMs } from './service/deadline.ts';
import type { QueryParams, RemoteService } from './service/remote-service.ts';

const COMPANY_TTL_MS = 5 * MINUTE_MS;
const NAMES_TTL_MS = 30 * SECOND_MS;
/** Pictures and questions are in English if the company is not known within this time. */
const LANG_WAIT_MS = 3 * SECOND_MS;

/** More than any company has; ends a list whose cursors form a cycle. */
const MAX_PAGES = 100;

const companyFields = z.object({
  timezone: z.string().refine(isTimeZone).nullable(),
  countryCode: z.string().nullable(),
  units: z.enum(UNIT_SYSTEMS).nullish(),
});
const moduleFields = z.object({
  id: z.number().int(),
  name: nameOutput().nullable(),
  uid: z.string(),
  category: z.string().nullable(),
  parcelId: z.number().int().nullable(),
});
const parcelFields = z.object({
  id: z.number().int(),
  name: nameOutput(),
  type: z.string().nullish(),
});

export const COMPANY_PATH = '/company';

type CompanyFields = z.output<typeof companyFields>;
type NamedParcelFields = z.output<typeof parcelFields>;

/** Reads the company of the key, and its names, from a service, and caches them for a while. */
export class RemoteCompany {
  /** The language of labels and default names. */
  readonly lang: Lang;
  readonly #chosenLang: Lang | undefined;
  readonly #company: RemoteCache<CompanyFields | AcequiaError>;
  readonly #modules: RemoteCache<readonly NamedModule[] | AcequiaError>;
  readonly #parcels: RemoteCache<readonly NamedParcelFields[] | AcequiaError>;

  constructor(service: RemoteService, chosenLang: Lang | undefined, fetchTimeoutMs: number) {
    const lang = chosenLang ?? DEFAULT_LANG;
    const cached = <T>(ttlMs: number, fetch: (deadline: number) => Promise<T>) =>
      new RemoteCache<T | AcequiaError>({
        ttlMs: () => ttlMs,
        fetchTimeoutMs,
        fetch: (deadline) => accessErrorAsValue(fetch(deadline)),
        timeoutError: (waitedMs) => service.timeoutError(waitedMs),
      });

    this.lang = lang;
    this.#chosenLang = chosenLang;
    this.#company = cached(COMPANY_TTL_MS, (deadline) =>
      service.get(COMPANY_PATH, {}, companyFields, deadline),
    );
    this.#modules = cached(NAMES_TTL_MS, async (deadline) => {
      const rows = await fetchAllRows(service, '/modules', { lang }, moduleFields, deadline);
      return rows.map((row): NamedModule => ({ ...row, otherNames: otherNamesOf(row, lang) }));
    });
    this.#parcels = cached(NAMES_TTL_MS, (deadline) =>
      fetchAllRows(service, '/parcels', {}, parcelFields, deadline),
    );
  }

  async formats(deadline: number): Promise<ReadingFormats | AcequiaError> {
    const fields = await this.#company.get(deadline);
    return fields instanceof AcequiaError ? fields : formatsOf(fields);
  }

  /** Null also if they were read some minutes ago, and have to be read again before they are used. */
  cachedFormats(): ReadingFormats | null {
    const fields = this.#company.cached();
    return fields === null || fields instanceof AcequiaError ? null : formatsOf(fields);
  }

  async zone(deadline: number): Promise<string | AcequiaError> {
    const formats = await this.formats(deadline);
    return formats instanceof AcequiaError ? formats : formats.zone;
  }

  /** True also if the company cannot be read, so that no answer warns of a zone that may be right. */
  async isZoneDeclared(deadline: number): Promise<boolean> {
    const fields = await this.#fieldsOrNull(deadline);
    return fields === null || fields.timezone !== null;
  }

  /** Metric if the company cannot be read. */
  async units(deadline: number): Promise<UnitSystem> {
    const fields = await this.#fieldsOrNull(deadline);
    return fields === null ? 'metric' : formatsOf(fields).units;
  }

  async personLang(deadline: number): Promise<Lang> {
    if (this.#chosenLang !== undefined) return this.#chosenLang;
    const fields = await this.#fieldsOrNull(Math.min(deadline, monotonicMs() + LANG_WAIT_MS));
    return fields === null ? DEFAULT_LANG : langOfCountry(fields.countryCode);
  }

  /** To be called once the time zone, country or units may have changed. */
  async refresh(deadline: number): Promise<void> {
    await this.#company.refresh(deadline).catch(() => null);
  }

  /** The names for one call. With `isRefresh`, cached lists are fetched again. */
  names(deadline: number, { isRefresh = false } = {}): RemoteNames {
    return new RemoteNames(this.#modules, this.#parcels, { deadline, isRefresh });
  }

  async #fieldsOrNull(deadline: number): Promise<CompanyFields | null> {
    const fields = await this.#company.get(deadline).catch(() => null);
    return fields instanceof AcequiaError ? null : fields;
  }
}

const formatsOf = ({ timezone, countryCode, units }: CompanyFields): ReadingFormats => ({
  zone: timezone ?? DEFAULT_TIME_ZONE,
  countryCode,
  units: unitSystemOf(units, countryCode),
});

/** The lists of names that one call reads. A list that the key may not read is empty. */
export class RemoteNames {
  readonly directory: NameDirectory;
  readonly #deadline: number;
  readonly #isRefresh: boolean;
  #isFromCache = false;
  #accessError: AcequiaError | null = null;

  constructor(
    modules: RemoteCache<readonly NamedModule[] | AcequiaError>,
    parcels: RemoteCache<readonly NamedParcelFields[] | AcequiaError>,
    { deadline, isRefresh }: { readonly deadline: number; readonly isRefresh: boolean },
  ) {
    this.directory = { modules: () => this.#read(modules), parcels: () => this.#read(parcels) };
    this.#deadline = deadline;
    this.#isRefresh = isRefresh;
  }

  /** True if a cached list was used, which may lack recent changes. */
  get isFromCache(): boolean {
    return this.#isFromCache;
  }

  get accessError(): AcequiaError | null {
    return this.#accessError;
  }

  async #read<T>(list: RemoteCache<readonly T[] | AcequiaError>): Promise<readonly T[]> {
    if (!this.#isRefresh && list.isFresh()) this.#isFromCache = true;
    const rows = await (this.#isRefresh ? list.refresh(this.#deadline) : list.get(this.#deadline));
    if (!(rows instanceof AcequiaError)) return rows;

    this.#accessError = rows;
    return [];
  }
}

async function fetchAllRows<R extends { id: number }>(
  service: RemoteService,
  path: string,
  query: QueryParams,
  row: z.ZodType<R>,
  deadline: number,
): Promise<R[]> {
  const page = z.object({ data: z.array(row), next_cursor: z.string().nullable() });
  const pages = readPages(({ limit, ...cursor }) =>
    service.get(path, { ...query, limit: String(limit), ...cursor }, page, deadline),
  );

  // A row that moves between two pages may be on both.
  const rows = new Map<number, R>();
  let pageCount = 0;
  for await (const pageRows of pages) {
    for (const each of pageRows) rows.set(each.id, each);
    pageCount++;
    if (pageCount === MAX_PAGES) break;
  }

  return [...rows.values()];
}

function accessErrorAsValue<T>(promise: Promise<T>): Promise<T | AcequiaError> {
  return promise.catch((error: unknown) => {
    if (error instanceof AcequiaError && (error.status === 403 || error.status === 404))
      return error;
    throw error;
  });
}

/**
 * A default name, such as "Soil probe 12", is also found by the default names of the other
 * languages.
 */
function otherNamesOf({ name, category }: z.output<typeof moduleFields>, lang: Lang): string[] {
  const number = Number(/(?<!\d)\d+$/.exec(name ?? '')?.[0] ?? Number.NaN);
  const unnamed = { name: null, category, number };
  return moduleDisplayName(unnamed, lang) === name ? moduleNamesInOtherLangs(unnamed, lang) : [];
}
