import type { TimeSlice } from '../../domain/event-loop.ts';
import { groupBy } from '../../domain/groups.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { SERVICE_TAKER } from '../../domain/shares/takers.ts';
import { foldText } from '../../domain/strings.ts';
import {
  isProbe,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
} from '../../language/summary-context.ts';
import {
  cropWordsOf,
  looseCropWords,
  type SpokenName,
  spokenNameOf,
} from '../../language/words/spoken-name.ts';

export interface NamedEntity {
  readonly id: number;
  readonly name: string | null;
  readonly otherNames?: readonly string[];
  /** The uid of a module. */
  readonly uid?: string;
  /** The crop of a parcel. */
  readonly type?: string | null | undefined;
}

/**
 * An entity that a text may name. Its name is folded and parsed once, when it is first compared.
 */
export class Candidate<T extends NamedEntity = NamedEntity> {
  readonly entity: T;
  #folded: string | undefined;
  #foldedOtherNames: readonly string[] | undefined;
  #spoken: SpokenName | undefined;
  #cropWords: readonly string[] | undefined;
  #looseCropWords: readonly string[] | undefined;

  constructor(entity: T) {
    this.entity = entity;
  }

  /** Null without a name. */
  get folded(): string | null {
    const { name } = this.entity;
    if (name === null) return null;
    this.#folded ??= foldText(name);
    return this.#folded;
  }

  get foldedOtherNames(): readonly string[] {
    this.#foldedOtherNames ??= (this.entity.otherNames ?? []).map(foldText);
    return this.#foldedOtherNames;
  }

  get spoken(): SpokenName {
    this.#spoken ??= spokenNameOf(this.entity.name ?? '');
    return this.#spoken;
  }

  get cropWords(): readonly string[] {
    this.#cropWords ??= cropWordsOf(this.entity.type);
    return this.#cropWords;
  }

  get looseCropWords(): readonly string[] {
    this.#looseCropWords ??= looseCropWords(this.cropWords);
    return this.#looseCropWords;
  }
}

export const candidatesOf = <T extends NamedEntity>(
  entities: readonly T[],
): readonly Candidate<T>[] => entities.map((entity) => new Candidate(entity));

/** A farm may have thousands of names, so that they are compared in slices of time. */
export const sliceOfNames = ({ taker = SERVICE_TAKER }: Pick<NameDirectory, 'taker'>): TimeSlice =>
  sliceOf(taker);

/** The modules and parcels of a company, each list read when it is first needed. */
export class NameCandidates {
  readonly slice: TimeSlice;
  readonly #directory: NameDirectory;
  #modules: readonly Candidate<NamedModule>[] | undefined;
  #parcels: readonly Candidate<NamedParcel>[] | undefined;
  #parcelsById: ReadonlyMap<number, Candidate<NamedParcel>> | undefined;
  #probesByParcel: ReadonlyMap<number | null, readonly NamedModule[]> | undefined;

  constructor(directory: NameDirectory) {
    this.#directory = directory;
    this.slice = sliceOfNames(directory);
  }

  async modules(): Promise<readonly Candidate<NamedModule>[]> {
    this.#modules ??= candidatesOf(await this.#directory.modules());
    return this.#modules;
  }

  async parcels(): Promise<readonly Candidate<NamedParcel>[]> {
    this.#parcels ??= candidatesOf(await this.#directory.parcels());
    return this.#parcels;
  }

  async parcelsById(): Promise<ReadonlyMap<number, Candidate<NamedParcel>>> {
    const parcels = await this.parcels();
    this.#parcelsById ??= new Map(parcels.map((parcel) => [parcel.entity.id, parcel]));
    return this.#parcelsById;
  }

  async probesOf(parcel: NamedParcel): Promise<readonly NamedModule[]> {
    const modules = await this.modules();
    this.#probesByParcel ??= groupBy(
      modules.map(({ entity }) => entity).filter(isProbe),
      ({ parcelId }) => parcelId,
    );
    return this.#probesByParcel.get(parcel.id) ?? [];
  }
}

export const candidatesOfKind = (kind: 'module' | 'parcel', directory: NameDirectory) =>
  new NameCandidates({
    taker: directory.taker,
    modules: async () => (kind === 'module' ? directory.modules() : []),
    parcels: async () => (kind === 'parcel' ? directory.parcels() : []),
  });
