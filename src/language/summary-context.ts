import type { Lang } from '../domain/lang.ts';
import type { Taker } from '../domain/shares/shares.ts';
import { nameInSentence } from '../domain/strings.ts';
import type { UnitSystem } from '../domain/units.ts';
import type { Scope } from '../schema/scope.ts';
import { moduleOf, nameOfModule } from './module-names.ts';

export interface NameDirectory {
  /** Long computations on the names use its turns; default: those of the service. */
  readonly taker?: Taker | undefined;
  modules(): Promise<readonly NamedModule[]>;
  parcels(): Promise<readonly NamedParcel[]>;
  /** Lists that the caller has no permission to see. */
  readonly missingScopes?: MissingListScopes;
}

export interface MissingListScopes {
  readonly modules: Scope | null;
  readonly parcels: Scope | null;
}

export interface NamedModule {
  readonly id: number;
  readonly name: string | null;
  readonly otherNames?: readonly string[];
  readonly uid: string;
  readonly category: string | null;
  readonly parcelId: number | null;
}

export interface NamedParcel {
  readonly id: number;
  readonly name: string;
  /** Its crop, in any language. */
  readonly type?: string | null | undefined;
}

export async function moduleName(directory: NameDirectory, id: number): Promise<string> {
  const modules = await directory.modules();
  const found = moduleOf(modules, id);
  return found === undefined
    ? `module ${id}`
    : nameOfModule(
        found,
        modules,
        nameInSentence(found.name) === '' ? await directory.parcels() : [],
      );
}

export async function parcelName(directory: NameDirectory, id: number): Promise<string> {
  const found = (await directory.parcels()).find((parcel) => parcel.id === id);
  return nameInSentence(found?.name) || `parcel ${id}`;
}

export interface NamedTarget {
  readonly moduleId: number | null;
  readonly parcelId: number | null;
}

/** The name of a probe, or of a parcel where a row is about a whole one. */
export async function targetName(
  directory: NameDirectory,
  { moduleId, parcelId }: NamedTarget,
): Promise<string> {
  if (moduleId !== null) return moduleName(directory, moduleId);
  return parcelId === null ? 'an unknown target' : parcelName(directory, parcelId);
}

export const isProbe = ({ category }: { readonly category: string | null }): boolean =>
  category === 'SOIL_PROBE' || category === 'TENSIOMETER';

export const namesOfParcelProbes = async (
  directory: NameDirectory,
  parcelId: number,
): Promise<string[]> => {
  const probes = (await directory.modules()).filter(
    (module) => module.parcelId === parcelId && isProbe(module),
  );
  return Promise.all(probes.map(({ id }) => moduleName(directory, id)));
};

/** Each list is requested at most once. */
export function memoizedDirectory(source: NameDirectory): NameDirectory {
  let modules: Promise<readonly NamedModule[]> | undefined;
  let parcels: Promise<readonly NamedParcel[]> | undefined;
  return {
    taker: source.taker,
    modules: () => (modules ??= source.modules()),
    parcels: () => (parcels ??= source.parcels()),
    get missingScopes() {
      return source.missingScopes;
    },
  };
}

/** Leaves out the names that the caller may not read. */
export const visibleDirectory = (directory: NameDirectory): NameDirectory => ({
  taker: directory.taker,
  get missingScopes() {
    return directory.missingScopes;
  },
  modules: async () => (directory.missingScopes?.modules ? [] : directory.modules()),
  parcels: async () => (directory.missingScopes?.parcels ? [] : directory.parcels()),
});

/** The facts of the store on which texts for models depend; these are English. */
interface StoreContext {
  /**
   * The option by which a command on the computer of the store finds it, such as ` --db farm.db`.
   */
  readonly storeOption?: string | undefined;
}

export interface WordingContext extends StoreContext {
  readonly now: number;
  readonly zone: string;
  readonly lang?: never;
}

/** It has no store, because the operation may have run on a remote service. */
export interface CompanyContext extends StoreContext {
  readonly now: number;
  readonly zone: string;
  /** False if the company declared no zone, and `zone` is the default. */
  readonly isZoneDeclared: boolean;
  readonly units: UnitSystem;
  readonly directory: NameDirectory;
}

export interface SummaryContext extends CompanyContext, WordingContext {}

/** Leaves out the language of a call, which only its names and labels follow. */
export const summaryContextOf = ({
  now,
  zone,
  isZoneDeclared,
  units,
  directory,
  storeOption,
}: CompanyContext): SummaryContext => ({
  now,
  zone,
  isZoneDeclared,
  units,
  directory,
  storeOption,
});

/** The facts on which questions and pictures depend; a person reads these. */
export interface PersonContext extends CompanyContext {
  readonly lang: Lang;
}
