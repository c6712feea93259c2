import type { Lang } from '../../domain/lang.ts';
import type { UnitSystem } from '../../domain/units.ts';
import type { ArgumentWords } from './spoken-argument.ts';

/** Who reads a text: in which zone, units and language. */
export interface Reader {
  readonly now: number;
  readonly zone: string;
  readonly units: UnitSystem;
  readonly lang?: Lang;
  /** Where no zone is known. */
  readonly times?: 'iso';
  /** The words for the arguments of the tool that was called. */
  readonly argumentWords?: ArgumentWords;
  /** Reads a page, on which figures and signs keep together with what is before them. */
  readonly keepsTogether?: true;
  /** A model: reads names of arguments, and local times in ISO 8601, instead of words. */
  readonly isProgram?: true;
}
