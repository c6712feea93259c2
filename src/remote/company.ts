import { z } from 'zod/v3';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../language/default-names.ts';
import { langOfCountry } from '../language/index.ts';
import type { NameDirectory, NamedModule } from '../language/summary-context.ts';
import { DEFAULT_TIME_ZONE } from '../schema/company/company.ts';
import { AcequiaError } from '../schema/error.ts';
import { nameOutput } from '../schema/field.ts';
import { type RemoteCache, remoteCache } from './cache.ts';
import { monotonicMs } from './limits.ts';
import type { QueryParams, RemoteService } from './service.ts';

const COMPANY_TTL_MS = 5 * MINUTE_MS;
const NAMES_TTL_MS = 30 * SECOND_MS;
/** Pictures and questions are in English if the company is not known within this time. */
const LANG_WAIT_MS = 3 * SECOND_MS;

const PAGE_SIZE = '200';
/** More than any company has; ends a list whose cursors form a cycle. */
const MAX_PAGES = 100;

const companyFields = z.object({
  timezone: z.string().refine(isTimeZone).nullable(),
  countryCode: z.string().nullable(),
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

export interface RemoteCompany {
  zone(deadline: number): Promise<string | AcequiaError>;
  isZoneDeclared(deadline: number): Promise<boolean>;
  readonly lang: Lang;
  personLang(deadline: number): Promise<Lang>;
  /** To be called after a write that may have changed the time zone or country. */
  refresh(deadline: number): Promise<void>;
  names(deadline: number, refresh?: boolean): NameLookup;
}

export interface NameLookup {
  readonly directory: NameDirectory;
  /** True if a cached list was used, which may lack recent changes. */
  readonly isFromCache: () => boolean;
  readonly accessError: () => AcequiaError | null;
}

export function remoteCompany(
  service: RemoteService,
  chosenLang: Lang | undefined,
  fetchTimeoutMs: number,
): RemoteCompany {
  const cachedFor = <T>(
    ms: number,
    fetch: (deadline: number) => Promise<T>,
  ): RemoteCache<T | AcequiaError> =>
    remoteCache({
      ttlMs: () => ms,
      fetchTimeoutMs,
      fetch: (deadline) => accessErrorAsValue(fetch(deadline)),
      timeoutError: (waitedMs) => service.timeoutError(waitedMs),
    });

  const company = cachedFor(COMPANY_TTL_MS, (deadline) =>
    service.get(COMPANY_PATH, {}, companyFields, deadline),
  );
  const lang = chosenLang ?? DEFAULT_LANG;

  const personLang = async (deadline: number): Promise<Lang> => {
    if (chosenLang !== undefined) return chosenLang;
    const fields = await company
      .get(Math.min(deadline, monotonicMs() + LANG_WAIT_MS))
      .catch(() => null);
    return fields === null || fields instanceof AcequiaError
      ? DEFAULT_LANG
      : langOfCountry(fields.countryCode);
  };

  const modules = cachedFor(NAMES_TTL_MS, async (deadline) => {
    const rows = await fetchAllPages(service, '/modules', { lang }, moduleFields, deadline);
    return rows.map((row): NamedModule => ({ ...row, otherNames: otherNamesOf(row, lang) }));
  });
  const parcels = cachedFor(NAMES_TTL_MS, (deadline) =>
    fetchAllPages(service, '/parcels', {}, parcelFields, deadline),
  );

  function names(deadline: number, refresh = false): NameLookup {
    let isFromCache = false;
    let accessError: AcequiaError | null = null;

    const readList = async <T>(
      list: RemoteCache<readonly T[] | AcequiaError>,
    ): Promise<readonly T[]> => {
      isFromCache ||= !refresh && list.isFresh();
      const rows = await list.get(deadline, refresh);
      if (!(rows instanceof AcequiaError)) return rows;
      accessError = rows;
      return [];
    };

    return {
      directory: { modules: () => readList(modules), parcels: () => readList(parcels) },
      isFromCache: () => isFromCache,
      accessError: () => accessError,
    };
  }

  return {
    async zone(deadline) {
      const fields = await company.get(deadline);
      return fields instanceof AcequiaError ? fields : (fields.timezone ?? DEFAULT_TIME_ZONE);
    },
    async isZoneDeclared(deadline) {
      const fields = await company.get(deadline).catch(() => null);
      return fields === null || fields instanceof AcequiaError || fields.timezone !== null;
    },
    lang,
    personLang,
    async refresh(deadline) {
      await company.get(deadline, true).catch(() => null);
    },
    names,
  };
}

async function fetchAllPages<R extends { id: number }>(
  service: RemoteService,
  path: string,
  query: QueryParams,
  row: z.ZodType<R>,
  deadline: number,
): Promise<R[]> {
  const page = z.object({ data: z.array(row), next_cursor: z.string().nullable() });
  const rows = new Map<number, R>();
  let params: QueryParams = { ...query, limit: PAGE_SIZE };
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { data, next_cursor: cursor } = await service.get(path, params, page, deadline);
    for (const each of data) rows.set(each.id, each);
    if (cursor === null || cursor === params.cursor) break;
    params = { ...params, cursor };
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
  const number = Number(/\d+$/.exec(name ?? '')?.[0] ?? Number.NaN);
  const unnamed = { name: null, category, number };
  return moduleDisplayName(unnamed, lang) === name ? moduleNamesInOtherLangs(unnamed, lang) : [];
}
