/** The modules whose data or settings changed; null stands for the farm as a whole. */
export type ChangedModules = readonly number[] | null;

/** A change of more modules is announced as one of the whole farm, which keeps messages short. */
const MAX_NAMED_MODULES = 20;

export function mergeModules(one: ChangedModules, other: ChangedModules): ChangedModules {
  if (one === null || other === null) return null;
  const all = [...new Set([...one, ...other])];
  return all.length > MAX_NAMED_MODULES ? null : all;
}

export interface CompanyChange {
  readonly companyId: number;
  readonly modules: ChangedModules;
}

/** Changes that are announced together, one for each company. */
export class CollectedChanges {
  readonly #modules = new Map<number, ChangedModules>();

  get isEmpty(): boolean {
    return this.#modules.size === 0;
  }

  add({ companyId, modules }: CompanyChange): void {
    this.#modules.set(companyId, mergeModules(this.#modules.get(companyId) ?? [], modules));
  }

  /** Returns the changes and forgets them. */
  take(): CompanyChange[] {
    const changes = [...this.#modules].map(([companyId, modules]) => ({ companyId, modules }));
    this.#modules.clear();
    return changes;
  }
}
