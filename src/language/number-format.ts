import type { Lang } from '../domain/lang.ts';
import { languageOf } from './index.ts';

/** A number, or a decimal as text, with the decimal mark of a language. */
export const formatNumber = (value: number | string, lang: Lang): string => languageOf(lang).format.number(value);

/** An amount as a person says it: one decimal, two below 1, no idle zeros. */
export const formatAmount = (value: number, lang: Lang): string =>
  formatNumber(Number(value.toFixed(Math.abs(value) < 1 ? 2 : 1)), lang);

/** The wetted fraction, the flow and the like, with as many decimals as they have. */
export const formatPrecise = (value: number, lang: Lang): string => formatNumber(Number(value.toPrecision(6)), lang);
