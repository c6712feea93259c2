import type { Language } from '../en/index.ts';

export const spanishPage: Language['page'] = {
  farm: 'Finca',
};
