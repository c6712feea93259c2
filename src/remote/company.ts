import { type Lang, langOfCountry } from '../domain/lang.ts';
import { isTimeZone } from '../domain/time-zone.ts';
import { moduleDisplayName, moduleNamesInOtherLangs } from '../language/default-names.ts';
import type { NameDirectory, NamedModule, NamedParcel } from '../language/summary-context.ts';
import { DEFAULT_TIME_ZONE } from '../schema/company.ts';
import { AcequiaError } from '../schema/error.ts';
import { type RemoteCache, remoteCache } from './cache.ts';
import { monotonicMs } from './limits.ts';
import { fetchAllPages, type RemoteRow, type RemoteService } from './service.ts';

const COMPANY_TTL_MS = 5 * 60_000;
const NAMES_TTL_MS = 30_000;
/** So long, in ms, a call waits to learn what its person hears: English says the same. */
const LANG_WAIT_MS = 3_000;

/** What a call knows of the company before it is made: the zone of local times, what its people hear, and what things are called. */
export interface RemoteCompany {
  /** Or why it cannot be had from a service that does answer: the key may not read the company, say. */
  zone(deadline: number): Promise<string | AcequiaError>;
  /** False where the company says that it declared none; true where it cannot be had. */
  isZoneDeclared(deadline: number): Promise<boolean>;
  /** As it was chosen, else that of the country; English where that cannot be had. */
  lang(deadline: number): Promise<Lang>;
  /** The names, for one call. */
  names(deadline: number, anew?: boolean): NameLookup;
}

export interface NameLookup {
  readonly directory: NameDirectory;
  /** Whether a list was used that an earlier call had fetched: it may lack what is new. */
  readonly isFromCache: () => boolean;
  /** Why a list that was asked for was withheld; its directory then is empty. */
  readonly accessError: () => AcequiaError | null;
}

/**
 * Asks the service for the company of the key, for `withinMs` at most, and keeps what it says for a while; `chosen` is what
 * its people hear.
 */
export function remoteCompany(
  { getJson, timeoutError: late }: Pick<RemoteService, 'getJson' | 'timeoutError'>,
  chosen: Lang | undefined,
  fetchTimeoutMs: number,
): RemoteCompany {
  const cachedFor = <T>(ms: number, fetch: (deadline: number) => Promise<T>): RemoteCache<T | AcequiaError> =>
    remoteCache({
      ttlMs: () => ms,
      fetchTimeoutMs,
      fetch: (deadline) => errorAsValue(fetch(deadline)),
      timeoutError: late,
    });
  const company = cachedFor(COMPANY_TTL_MS, async (deadline) => {
    const fields = await getJson('/company', {}, deadline);
    return { zone: zoneIn(fields), isZoneDeclared: hasZone(fields), lang: langIn(fields) };
  });
  const lang = async (deadline: number): Promise<Lang> => {
    if (chosen !== undefined) return chosen;
    const fields = await company.get(Math.min(deadline, monotonicMs() + LANG_WAIT_MS)).catch(() => null);
    return fields === null || fields instanceof AcequiaError ? 'en' : fields.lang;
  };
  const modules = cachedFor(NAMES_TTL_MS, async (deadline) => {
    const labelLang = await lang(deadline);
    return (await fetchAllPages(getJson, '/modules', { lang: labelLang }, deadline)).map((row) =>
      toNamedModule(row, labelLang),
    );
  });
  const parcels = cachedFor(NAMES_TTL_MS, async (deadline) =>
    (await fetchAllPages(getJson, '/parcels', {}, deadline)).flatMap(toNamedParcels),
  );

  function names(deadline: number, refresh = false): NameLookup {
    let isOld = false;
    let withheld: AcequiaError | null = null;
    const rowsOf = async <T>(list: RemoteCache<readonly T[] | AcequiaError>): Promise<readonly T[]> => {
      isOld ||= !refresh && list.isFresh();
      const rows = await list.get(deadline, refresh);
      if (!(rows instanceof AcequiaError)) return rows;
      withheld = rows;
      return [];
    };
    return {
      directory: { modules: () => rowsOf(modules), parcels: () => rowsOf(parcels) },
      isFromCache: () => isOld,
      accessError: () => withheld,
    };
  }

  return {
    async zone(deadline) {
      const fields = await company.get(deadline);
      return fields instanceof AcequiaError ? fields : fields.zone;
    },
    async isZoneDeclared(deadline) {
      const fields = await company.get(deadline).catch(() => null);
      return fields === null || fields instanceof AcequiaError || fields.isZoneDeclared;
    },
    lang,
    names,
  };
}

/** What the key may not read, or a service does not have, is an answer too. */
function errorAsValue<T>(promise: Promise<T>): Promise<T | AcequiaError> {
  return promise.catch((error: unknown) => {
    if (error instanceof AcequiaError && (error.status === 403 || error.status === 404)) return error;
    throw error;
  });
}

function zoneIn(company: unknown): string {
  const zone = (company as RemoteRow | null)?.timezone;
  return typeof zone === 'string' && isTimeZone(zone) ? zone : DEFAULT_TIME_ZONE;
}

const hasZone = (company: unknown): boolean => (company as RemoteRow | null)?.timezone !== null;

function langIn(company: unknown): Lang {
  const country = (company as RemoteRow | null)?.countryCode;
  return langOfCountry(typeof country === 'string' ? country : null);
}

const stringOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

const toNamedModule = ({ id, name, uid, category, parcelId }: RemoteRow, lang: Lang): NamedModule => ({
  id: id as number,
  name: stringOr(name, null),
  otherNames: otherNamesOf(stringOr(name, ''), stringOr(category, null), lang),
  uid: stringOr(uid, ''),
  category: stringOr(category, null),
  parcelId: Number.isSafeInteger(parcelId) ? (parcelId as number) : null,
});

/** A name that may be the default one of its language ("Soil probe 12") stands for those of the others. */
function otherNamesOf(name: string, category: string | null, lang: Lang): string[] {
  const number = Number(/\d+$/.exec(name)?.[0] ?? Number.NaN);
  const unnamed = { name: null, category, number };
  return moduleDisplayName(unnamed, lang) === name ? moduleNamesInOtherLangs(unnamed, lang) : [];
}

/** A parcel without a name cannot be meant. */
const toNamedParcels = ({ id, name }: RemoteRow): NamedParcel[] =>
  typeof name === 'string' ? [{ id: id as number, name }] : [];
