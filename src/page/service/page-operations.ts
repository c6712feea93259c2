import type { z } from 'zod/v3';
import type getFarmPage from '../../../tools/advice/get-farm-page.ts';
import type reviewWaterings from '../../../tools/advice/review-waterings.ts';
import type suggestThresholds from '../../../tools/advice/suggest-thresholds.ts';
import type backtestAlert from '../../../tools/alerts/backtest-alert.ts';
import type createAlert from '../../../tools/alerts/create-alert.ts';
import type createAnnotation from '../../../tools/alerts/create-annotation.ts';
import type listAlerts from '../../../tools/alerts/list-alerts.ts';
import type listAnnotations from '../../../tools/alerts/list-annotations.ts';
import type updateAlert from '../../../tools/alerts/update-alert.ts';
import type updateAnnotation from '../../../tools/alerts/update-annotation.ts';
import type undo from '../../../tools/changes/undo.ts';
import type correctWatering from '../../../tools/irrigation/correct-watering.ts';
import type listWaterings from '../../../tools/irrigation/list-waterings.ts';
import type logParcelWatering from '../../../tools/irrigation/log-parcel-watering.ts';
import type logWatering from '../../../tools/irrigation/log-watering.ts';
import type previewWatering from '../../../tools/irrigation/preview-watering.ts';
import type getAgronomicState from '../../../tools/monitoring/get-agronomic-state.ts';
import type getModule from '../../../tools/monitoring/get-module.ts';
import type getMoistureSeries from '../../../tools/monitoring/get-moisture-series.ts';
import type listRain from '../../../tools/weather/list-rain.ts';

// Types alone: an operation adds no byte to the page.

type PageOperation =
  | typeof backtestAlert
  | typeof correctWatering
  | typeof createAlert
  | typeof createAnnotation
  | typeof getAgronomicState
  | typeof getFarmPage
  | typeof getModule
  | typeof getMoistureSeries
  | typeof listAlerts
  | typeof listAnnotations
  | typeof listRain
  | typeof listWaterings
  | typeof logParcelWatering
  | typeof logWatering
  | typeof previewWatering
  | typeof reviewWaterings
  | typeof suggestThresholds
  | typeof undo
  | typeof updateAlert
  | typeof updateAnnotation;

type PageOperations = {
  readonly [Operation in PageOperation as Operation['name']]: Operation;
};

/** The operations that the page calls. */
export type OperationName = keyof PageOperations;

/** The fields that a call of the operation sends, by their names at the endpoint. */
export type CallFields<Name extends OperationName> = z.input<PageOperations[Name]['input']>;

/** The body of its answer. */
export type CallBody<Name extends OperationName> = z.output<PageOperations[Name]['output']>;

/** A call to repeat or to make later. `fields` are those of its operation. */
export type ServiceCall<Name extends OperationName = OperationName> = {
  readonly [N in Name]: { readonly operation: N; readonly fields: CallFields<N> };
}[Name];
