import type { Lang } from '../domain/lang.ts';
import type { Scope } from '../schema/scope.ts';
import { languageOf } from './index.ts';
import { singleLine } from './text.ts';

/** Names and ids of what a company has: what texts are matched against, and what summaries call things by. */
export interface NameDirectory {
  modules(): Promise<readonly NamedModule[]>;
  parcels(): Promise<readonly NamedParcel[]>;
  /** Lists that the caller may not see; left out, none. */
  readonly withheld?: WithheldLists;
}

/** The scope that the caller lacks for a list. */
export interface WithheldLists {
  readonly modules: Scope | null;
  readonly parcels: Scope | null;
}

export interface NamedModule {
  readonly id: number;
  /** Given or default name; null for a module with neither name nor number. */
  readonly name: string | null;
  /** Default names in languages other than the caller's. */
  readonly otherNames?: readonly string[];
  readonly uid: string;
  readonly category: string | null;
  readonly parcelId: number | null;
}

export interface NamedParcel {
  readonly id: number;
  readonly name: string;
}

/** How a module is called in a sentence; without a name alike in every language. */
export async function moduleName(directory: NameDirectory, id: number): Promise<string> {
  const found = (await directory.modules()).find((module) => module.id === id);
  return singleLine(found?.name) || `module ${id}`;
}

export async function parcelName(directory: NameDirectory, id: number, lang: Lang): Promise<string> {
  const found = (await directory.parcels()).find((parcel) => parcel.id === id);
  return singleLine(found?.name) || languageOf(lang).core.unnamedParcel(id);
}

/** The same directory, asked at most once for each list. */
export function memoizedDirectory(source: NameDirectory): NameDirectory {
  let modules: Promise<readonly NamedModule[]> | undefined;
  let parcels: Promise<readonly NamedParcel[]> | undefined;
  return {
    modules: () => (modules ??= source.modules()),
    parcels: () => (parcels ??= source.parcels()),
    withheld: source.withheld,
  };
}

/** Whom a text is for, and when and where they read it. */
export interface WordingContext {
  /** Now, in ms since 1970 UTC. */
  readonly now: number;
  /** The company's time zone. */
  readonly zone: string;
  readonly lang: Lang;
}

/** What a summary may draw on. It holds no store: the operation may have run on a remote service. */
export interface SummaryContext extends WordingContext {
  /** False where the company declared no zone, and the default stands in for it. */
  readonly isZoneDeclared: boolean;
  readonly directory: NameDirectory;
}
