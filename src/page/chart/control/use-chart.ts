import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { Period } from '../../../domain/periods.ts';
import type { Service } from '../../service/page-service.ts';
import { ChartController, type ChartSetting } from './chart-controller.ts';

/** Renders the chart anew, or only shifts its drawing, at most once a frame. */
class ChartFrames {
  readonly #render: () => void;
  readonly #shift: () => void;
  #frameId = 0;
  #shouldRender = false;

  constructor(render: () => void, shift: () => void) {
    this.#render = render;
    this.#shift = shift;
  }

  request(shouldRender: boolean): void {
    this.#shouldRender ||= shouldRender;
    this.#frameId ||= requestAnimationFrame(() => {
      const draw = this.#shouldRender ? this.#render : this.#shift;
      this.#frameId = 0;
      this.#shouldRender = false;
      draw();
    });
  }

  stop(): void {
    cancelAnimationFrame(this.#frameId);
  }
}

interface ChartSource {
  readonly service: Service;
  readonly moduleId: number;
  readonly zone: string;
  /** The first view; null for the last week. */
  readonly period: Period | null;
}

/** A chart that is rendered when it changes, and its element that a gesture shifts. */
export function useChart({ service, moduleId, zone, period }: ChartSource, setting: ChartSetting) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const layer = useRef<HTMLDivElement>(null);

  const { chart, frames, shift } = useMemo(() => {
    const shift = (): void =>
      layer.current?.style.setProperty('transform', `translate3d(${chart.shift}px,0,0)`);
    const frames = new ChartFrames(() => render(undefined), shift);
    const onChange = (shouldRender: boolean): void => frames.request(shouldRender);
    const chart = new ChartController({ service, moduleId, zone, period, setting, onChange });
    return { chart, frames, shift };
  }, [service, moduleId, zone]);

  const model = chart.model(setting);
  useLayoutEffect(() => {
    chart.show(model, setting);
    shift();
  });
  useEffect(() => {
    const stop = chart.follow();
    return () => {
      stop();
      frames.stop();
    };
  }, [chart]);
  useEffect(() => chart.loadMissing());

  return { chart, model, layer };
}
