import type { Language } from '../en/index.ts';

export const frenchPage: Language['page'] = {
  farm: 'Exploitation',
};
