import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import type { UnitSystem } from '../domain/units.ts';
import type { FarmPageBody } from '../schema/advice/farm-page.ts';
import type { ChartTheme } from '../schema/advice/moisture-chart.ts';
import type { Scope } from '../schema/scope.ts';
import type { Notice } from './notice.tsx';
import type { PageTexts } from './page-texts.ts';
import type { Service } from './service/page-service.ts';

export interface PageContextValue {
  readonly service: Service;
  readonly lang: Lang;
  /** The units of the farm. */
  readonly units: UnitSystem;
  readonly texts: PageTexts;
  /** The zone of the farm, whatever that of the device. */
  readonly zone: string;
  /** True if the person's clock shows another time than that of the farm. */
  readonly isElsewhere: boolean;
  readonly theme: ChartTheme;
  readonly farm: FarmPageBody;
  /** The time of the service in ms, advanced by the clock of the device. */
  now(): number;
  /** An instant in the language and zone of the page: "today 06:15". */
  timeOf(time: string): string;
  may(scope: Scope): boolean;
  /** Reads the farm again, after a write or a change. */
  reload(): Promise<void>;
  /** Grows when the rows of the module are read, so that its view reads again. */
  versionOf(moduleId: number): number;
  notify(notice: Notice): void;
}

export const PageContext = createContext<PageContextValue | null>(null);

export function usePage(): PageContextValue {
  const value = useContext(PageContext);
  if (value === null) throw new Error('There is no page around this component.');
  return value;
}
