import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { FaultText } from '../en/file-faults.ts';
import type { Language } from '../en/index.ts';
import { languageOf } from '../index.ts';

/** Says what is wrong with a file, and what to do, in the words of a language. */
type DescribeFault = (language: Language) => FaultText;

interface FaultKind {
  readonly code?: string;
  readonly status?: number;
  readonly field?: string;
}

/** Why a file is not imported: in English for programs, and in the language of a person. */
export class FileError extends AcequiaError {
  readonly #describe: DescribeFault;

  constructor(describe: DescribeFault, kind: FaultKind = {}, lang: Lang = DEFAULT_LANG) {
    const { field, status = 400 } = kind;
    const code = kind.code ?? (field === undefined ? 'invalid_body' : 'invalid_parameter');
    super({ code, status, field, ...describe(languageOf(lang)) });
    this.#describe = describe;
  }

  in(lang: Lang): FileError {
    const { code, status, field } = this;
    return new FileError(this.#describe, { code, status, field }, lang);
  }
}
