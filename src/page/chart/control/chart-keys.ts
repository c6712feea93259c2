import { formatChartPeriod } from '../../../language/advice/chart-labels.ts';
import { keyStep } from '../../thresholds/line-values.ts';
import type { ThresholdLine } from '../../thresholds/threshold-lines.ts';
import type { ChartController } from './chart-controller.ts';
import type { ChartView } from './chart-view.ts';
import { lengthOf, ZOOM_STEP } from './view.ts';

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey'>;

type ViewAction = (view: ChartView) => void;

const zoomIn: ViewAction = (view) => view.zoom(1 / ZOOM_STEP);
const zoomOut: ViewAction = (view) => view.zoom(ZOOM_STEP);

const VIEW_ACTIONS: Readonly<Record<string, ViewAction>> = {
  ArrowLeft: (view) => view.moveBy(-0.25),
  ArrowRight: (view) => view.moveBy(0.25),
  PageUp: (view) => view.moveBy(-1),
  PageDown: (view) => view.moveBy(1),
  '+': zoomIn,
  '=': zoomIn,
  '-': zoomOut,
  _: zoomOut,
  End: (view) => view.showLast(lengthOf(view.period)),
};

/** These keys read values while Shift is held. */
const READING_DIRECTIONS: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Returns whether the key means something to the chart. */
export function pressChartKey(chart: ChartController, { key, shiftKey }: Key): boolean {
  const { view, cursor, shown } = chart;
  if (shown === null) return false;

  const direction = shiftKey ? READING_DIRECTIONS[key] : undefined;
  const action = VIEW_ACTIONS[key];
  if (direction !== undefined) cursor.readNext(shown, direction);
  else if (action !== undefined) {
    action(view);
    cursor.clear();
    const { start, end } = view.period;
    cursor.say(formatChartPeriod(start, end, shown.texts.zone, shown.texts.labels));
  } else if (key === 'Escape') cursor.clear();
  else return false;

  return true;
}

/** Returns whether the key means something to the line. */
export function pressLineKey(chart: ChartController, line: ThresholdLine, event: Key): boolean {
  const { adjustment } = chart;
  const step = keyStep(line, event);

  if (event.key === 'Escape') adjustment.cancel();
  else if (event.key === 'Enter' && adjustment.current?.phase === 'waiting') void adjustment.save();
  else if (step !== null || event.key === 'Enter' || event.key === ' ') {
    chart.adjust(line);
    chart.pullBy(step ?? 0);
    adjustment.drop();
  } else return false;

  return true;
}
