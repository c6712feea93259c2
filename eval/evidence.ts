import { type Figure, figuresIn, numbersIn, type Reading } from './figures.ts';

/** Units by the name of a field, as in the answers of tools and the rows of the store. */
const UNITS_OF_FIELDS: readonly (readonly [pattern: RegExp, quantity: string, size: number])[] = [
  [/(?:MmPerH|RateMm)$/, 'rate', 1],
  [/(?:^m|M)m$|Mm[A-Z]/, 'depth', 1],
  [/Min$|[mM]inutes$/, 'time', 1],
  [/[hH]ours/, 'time', 60],
  [/[dD]ays/, 'days', 1],
  [/M3$/, 'volume', 1],
  [/Cm$/, 'length', 1],
  [/M2$/, 'area', 1],
  [/Lph$/, 'flow', 1],
  [/_vwc$|Percent$/, 'percent', 1],
  [/Kpa$/, 'tension', 1],
];
const IS_ID = /^id$|Ids?$|_id$/;

/** What a reply may state: values that the person said, the tools answered or the store holds. */
export class Evidence {
  readonly #readings = new Map<string, number[]>();
  readonly #seen = new WeakSet<object>();

  /** Keys of rows are texts with a name and a local time. */
  add(value: unknown, field = ''): void {
    if (typeof value === 'number') this.#addNumber(value, field);
    else if (typeof value === 'string') this.#addText(value, field);
    else if (typeof value === 'object' && value !== null) this.#addObject(value, field);
  }

  /** A person leaves out the unit of a figure that was named before. */
  addWords(words: string): void {
    this.#addText(words, '');
    for (const value of numbersIn(words)) this.#put('any', value);
  }

  supports({ readings }: Figure): boolean {
    return readings.some((reading) => this.#has(reading));
  }

  #has({ quantity, value, tolerance }: Reading): boolean {
    const isNear = (known: number): boolean => Math.abs(known - value) <= tolerance + 1e-9;
    const ofAnyUnit = quantity === 'clock' ? [] : (this.#readings.get('any') ?? []);
    return (
      ofAnyUnit.some(isNear) ||
      (quantity !== 'any' && (this.#readings.get(quantity) ?? []).some(isNear)) ||
      (quantity === 'percent' && ofAnyUnit.some((share) => isNear(100 * share)))
    );
  }

  #addObject(value: object, field: string): void {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    for (const [key, each] of Object.entries(value)) {
      if (IS_ID.test(key)) continue;
      if (!Array.isArray(value)) this.#addText(key, '');
      this.add(each, Array.isArray(value) ? field : key);
    }
  }

  #addNumber(value: number, field: string): void {
    const unit = UNITS_OF_FIELDS.find(([pattern]) => pattern.test(field));
    this.#put(unit?.[1] ?? 'any', value * (unit?.[2] ?? 1));
  }

  #addText(text: string, field: string): void {
    if (/^-?\d+(?:\.\d+)?$/.test(text)) this.#addNumber(Number(text), field);
    // An instant of UTC is not a time that a person says.
    else if (/\d/.test(text) && !/^\d{4}-\d\d-\d\dT.*Z$/.test(text)) this.#addSentence(text);
  }

  #addSentence(text: string): void {
    for (const [, hour, minute] of text.matchAll(/\b(\d{1,2}):(\d\d)\b/g))
      this.#put('clock', Number(hour) * 60 + Number(minute));
    for (const { readings } of figuresIn(text))
      for (const { quantity, value } of readings)
        if (quantity !== 'any') this.#put(quantity, value);
  }

  #put(quantity: string, value: number): void {
    const values = this.#readings.get(quantity) ?? [];
    values.push(value);
    this.#readings.set(quantity, values);
  }
}
