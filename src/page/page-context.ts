import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import type { ChartTheme } from '../schema/advice.ts';
import type { Service } from './service.ts';

export interface PageContextValue {
  readonly service: Service;
  readonly lang: Lang;
  /** Of the farm, whatever the zone of the device. */
  readonly zone: string;
  readonly theme: ChartTheme;
  /** The clock of the service: ms, moved on by that of the device. */
  now(): number;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePage(): PageContextValue {
  const value = useContext(PageContext);
  if (value === null) throw new Error('There is no page around this component.');
  return value;
}
