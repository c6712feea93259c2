import type { Lang } from '../../domain/lang.ts';
import type { ChartTheme } from '../../schema/advice.ts';
import type { Service } from '../service.ts';

export interface ProbeChartProps {
  readonly service: Service;
  readonly moduleId: number;
  readonly zone: string;
  readonly lang: Lang;
  readonly theme: ChartTheme;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly canWrite: boolean;
  /** After a threshold or a line was saved or taken back. */
  onSaved(): void;
}

export function ProbeChart({ width, height }: ProbeChartProps) {
  return <svg width={width} height={height} aria-hidden="true" />;
}
