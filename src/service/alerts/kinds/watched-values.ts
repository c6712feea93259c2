import type { AlertKind } from '../../../domain/alerts/alert-kinds.ts';
import { moistureAlerts } from './moisture-alerts.ts';
import type { WatchedValue } from './watched-value.ts';

export const WATCHED_VALUES: Readonly<Record<AlertKind, WatchedValue>> = {
  moisture: moistureAlerts,
};
