import type { Taker } from './shares.ts';

const NO_KEY = '';

export const companyTaker = (companyId: number): Taker => ({ company: companyId, key: NO_KEY });
export const SERVICE_TAKER: Taker = { company: 'service', key: NO_KEY };
