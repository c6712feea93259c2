import type { Lang } from '../domain/lang.ts';
import { languageOf } from './index.ts';

export const formatNumber = (value: number | string, lang: Lang): string => languageOf(lang).format.number(value);

/** One decimal, two below 1, no trailing zeros. */
export const formatAmount = (value: number, lang: Lang): string =>
  formatNumber(Number(value.toFixed(Math.abs(value) < 1 ? 2 : 1)), lang);

export const formatAmountOrNull = (value: number | null, lang: Lang): string | null =>
  value === null ? null : formatAmount(value, lang);

/** Keeps the decimals of an entered figure, up to six digits. */
export const formatPrecise = (value: number, lang: Lang): string => formatNumber(Number(value.toPrecision(6)), lang);
