import type { SuspectReading } from '../../../domain/facts/probe-facts.ts';
import type { SoilFigures } from '../../../language/mail/mail-facts.ts';
import type { Call, WriteContext } from '../../../operation/call.ts';
import type { AlertState } from '../../../store/alerts/alert-states.ts';
import type { Alert } from '../../../store/alerts/alerts.ts';
import type { Module } from '../../../store/company/modules.ts';
import type { CycleEvaluation } from '../cycle-evaluation.ts';
import type { WatchedProbe } from './watched-probe.ts';

/** How alerts of a kind get their value, and what is said of it. */
export interface WatchedValue {
  /** False for a module without a sensor for it: its alert never fires. */
  isMeasuredBy(context: WriteContext, module: Module): Promise<boolean>;
  evaluate(
    context: WriteContext,
    probe: WatchedProbe,
    alert: Alert,
    state: AlertState,
  ): Promise<CycleEvaluation>;
  /** Advises of what makes a threshold useless there. */
  adviseOfThreshold(call: Call, module: Module, threshold: number, hasLine: boolean): Promise<void>;
  /** Sensors on whose readings an alert may fire for no reason, or never. */
  suspectReadings(
    context: Pick<Call, 'db' | 'now' | 'zone'>,
    module: Module,
  ): Promise<SuspectReading[]>;
  /** Null if the state of the soil says nothing about it. */
  soilFigures(context: WriteContext, module: Module): Promise<SoilFigures | null>;
}
