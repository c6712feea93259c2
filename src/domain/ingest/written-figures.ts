/** How figures in texts are written: which sign separates decimals, and which thousands. */

type Mark = '.' | ',';

interface Marks {
  readonly decimals: Mark | null;
  /** Null also for thousands that are separated by a space or an apostrophe. */
  readonly thousands: Mark | null;
}

export type WrittenFigure =
  | ({ readonly value: number } & Marks)
  /** "1.250" and "1,250". */
  | { readonly mark: Mark; readonly asDecimals: number; readonly asThousands: number };

const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const COMMA_DECIMALS = /^[+-]?\d*,\d+$/;
/**
 * The form of most cells: with the point of decimals, and not as "1.250", or a whole number up to
 * 99.
 */
const SIMPLE = /^-?(?:\d{1,2}|\d{1,9}\.(?:\d{1,2}|\d{4,9}))$/;
/** "0.125" has no thousands. */
const EITHER = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;
const SPACED_THOUSANDS = /^[+-]?\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:([.,])\d+)?$/;
const MARKED_THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+(,)\d+|(?:,\d{3})+(\.)\d+)$/;
const SEPARATORS = /[ \u00a0\u2009\u202f'\u2019.,]/g;

const otherMark = (mark: Mark): Mark => (mark === '.' ? ',' : '.');

/** Minus signs and dashes that programs write instead of a hyphen. */
export const withPlainMinus = (text: string): string =>
  text.replace(/^(\s*)[\u2010-\u2013\u2212\ufe63\uff0d]/, '$1-');

/** `text` with `decimals` as its decimal point, and every other separator left out. */
const valueWith = (text: string, decimals: Mark | null): number =>
  Number(text.replace(SEPARATORS, (sign) => (sign === decimals ? '.' : '')));

/** Null for a text that is no finite decimal figure. */
export function readFigure(text: string): WrittenFigure | null {
  const figure = text.trim();
  const either = EITHER.exec(figure)?.[1] as Mark | undefined;
  if (either !== undefined)
    return {
      mark: either,
      asDecimals: valueWith(figure, either),
      asThousands: valueWith(figure, null),
    };

  if (PLAIN.test(figure)) {
    const value = Number(figure);
    const decimals = figure.includes('.') ? '.' : null;
    return Number.isFinite(value) ? { value, decimals, thousands: null } : null;
  }
  if (COMMA_DECIMALS.test(figure))
    return { value: valueWith(figure, ','), decimals: ',', thousands: null };

  const spaced = SPACED_THOUSANDS.exec(figure);
  if (spaced !== null) {
    const decimals = (spaced[1] as Mark | undefined) ?? null;
    return { value: valueWith(figure, decimals), decimals, thousands: null };
  }

  const marked = MARKED_THOUSANDS.exec(figure);
  const decimals = (marked?.[1] ?? marked?.[2]) as Mark | undefined;
  if (decimals === undefined) return null;
  return { value: valueWith(figure, decimals), decimals, thousands: otherMark(decimals) };
}

/** A value, or the two that a text may stand for. */
export type FigureOfFile = number | { readonly either: readonly [number, number] };

/** A whole number of this size or more may stand beside "1.250" for 1250. */
const SIZE_OF_THOUSANDS = 100;

/**
 * How one file writes its figures, as its first cells show. A cell that contradicts them, or that
 * may be written in either way, has two values.
 */
export class FigureConvention {
  /** Where commas separate the cells, unquoted figures have points. */
  readonly #hasPointsUnlessShown: boolean;
  #decimals: Mark | null = null;
  #thousands: Mark | null = null;
  #hasLargeWholes = false;

  constructor(delimiter: string) {
    this.#hasPointsUnlessShown = delimiter === ',';
  }

  /** As `read`, and in less time, for most cells; NaN for others. */
  readSimple(text: string): number {
    if (!SIMPLE.test(text)) return Number.NaN;
    if (text.includes('.')) {
      if (this.#decimals === ',') return Number.NaN;
      this.#decimals = '.';
    }
    return Number(text);
  }

  /** Null for a text that is no figure. `isPossible` judges a value in the unit of the file. */
  read(text: string, isPossible: (value: number) => boolean): FigureOfFile | null {
    const figure = readFigure(withPlainMinus(text));
    if (figure === null) return null;
    if ('mark' in figure) return this.#readEither(figure, isPossible);

    const { value, decimals, thousands } = figure;
    if (decimals === null && Math.abs(value) >= SIZE_OF_THOUSANDS)
      this.#hasLargeWholes ||= isPossible(value);
    const isContrary =
      (decimals !== null && this.#decimals !== null && decimals !== this.#decimals) ||
      (thousands !== null && thousands === this.#decimals);
    if (isContrary) return { either: [value, valueWith(text.trim(), this.#decimals)] };

    this.#decimals ??= decimals;
    this.#thousands ??= thousands;
    return value;
  }

  #readEither(
    { mark, asDecimals, asThousands }: Extract<WrittenFigure, { mark: Mark }>,
    isPossible: (value: number) => boolean,
  ): FigureOfFile {
    if (this.#decimals === mark) return asDecimals;
    if (this.#thousands === mark) return asThousands;

    if (this.#decimals === null) {
      const isOfSeparator = mark === ',' && this.#hasPointsUnlessShown;
      if (!isPossible(asThousands) && !isOfSeparator) {
        if (isPossible(asDecimals)) this.#decimals = mark;
        return asDecimals;
      }
      const hasPoints = this.#hasPointsUnlessShown && !this.#hasLargeWholes;
      if (mark === '.' && hasPoints) return asDecimals;
    }
    return { either: [asDecimals, asThousands] };
  }
}
