import { Button } from '../button.tsx';
import type { ChartModel } from '../chart/chart-model.ts';
import type { ChartTexts } from '../chart/chart-texts.ts';
import type { ChartController } from '../chart/control/chart-controller.ts';
import { ErrorMessage } from '../notice.tsx';
import type { ServiceError } from '../service/page-service.ts';
import { type Adjustment, isPulled, type PulledAdjustment } from './adjustment.ts';
import { isTruncated } from './backtest-feed.ts';
import { choicesFor } from './choices.ts';
import { lineName } from './line-layer.tsx';
import { hasAlertOnceSaved } from './threshold-lines.ts';

interface AdjustmentBarProps {
  readonly chart: ChartController;
  readonly model: ChartModel;
}

/** Shows how far a line was pulled, what follows from it, and the buttons to save or undo it. */
export function AdjustmentBar({ chart, model }: AdjustmentBarProps) {
  const adjustment = chart.adjustment.current;
  if (adjustment === null) return null;
  return isPulled(adjustment) ? (
    <Pulled chart={chart} model={model} adjustment={adjustment} />
  ) : (
    <Saved chart={chart} model={model} adjustment={adjustment} />
  );
}

interface SavedProps extends AdjustmentBarProps {
  readonly adjustment: Exclude<Adjustment, PulledAdjustment>;
}

function Saved({ chart, model: { texts, facts, lines }, adjustment }: SavedProps) {
  const { page, phrases } = texts;
  const { line, value, phase, error } = adjustment;
  const name = lineName(line, texts);
  const text = texts.value(value);
  const isNew = line.kind === 'newAlert' || (line.annotationId === null && line.kind !== 'alert');
  const undone = phrases.restored(name, isNew ? null : text);
  const doubt = facts?.state.doubtedLines?.find(
    (doubted) => doubted.line === line.kind && doubted.height === value,
  );
  const stored = lines.find(({ kind }) => kind === line.kind);

  return (
    <div class="chart-bar" role="status">
      <p class="chart-bar-title">{phase === 'undone' ? undone : phrases.saved(name, text)}</p>
      {doubt && (
        <p class="chart-bar-facts">
          {phrases.expected(texts.value(doubt.expected), doubt.basis === 'saturation')}
        </p>
      )}
      <Refusal error={error} texts={texts} />
      <div class="chart-bar-buttons">
        {doubt && stored && phase !== 'undone' && (
          <Button disabled={phase !== 'saved'} onClick={() => chart.adjustment.confirm(stored)}>
            {phrases.keep}
          </Button>
        )}
        {phase !== 'undone' && adjustment.changeId !== null && (
          <Button
            class="primary"
            disabled={phase !== 'saved'}
            onClick={() => chart.adjustment.undo()}
          >
            {page.undo}
          </Button>
        )}
        <Button onClick={() => chart.adjustment.close()}>{page.close}</Button>
      </div>
    </div>
  );
}

interface PulledProps extends AdjustmentBarProps {
  readonly adjustment: PulledAdjustment;
}

function Pulled(props: PulledProps) {
  const { chart, model, adjustment } = props;
  const { texts } = model;
  const { page, phrases } = texts;
  const { line, value, phase, error } = adjustment;
  const name = lineName(line, texts);
  const isStored = line.kind !== 'newAlert';
  const isMoved = value !== line.value;

  return (
    <section class={`chart-bar is-${phase}`} aria-label={name}>
      <p class="chart-bar-title">
        {phrases.lineAt(
          name,
          `${isStored && isMoved ? `${texts.value(line.value)} → ` : ''}${texts.value(value)}`,
        )}
      </p>
      <Consequences {...props} />
      <Refusal error={error} texts={texts} />
      {phase !== 'moving' && (
        <>
          <Choices {...props} />
          <div class="chart-bar-buttons">
            <Button
              class="primary"
              disabled={phase !== 'waiting' || (isStored && !isMoved)}
              onClick={() => chart.adjustment.save()}
            >
              {phase === 'saving' ? page.saving : phrases.save}
            </Button>
            <Button disabled={phase === 'saving'} onClick={() => chart.adjustment.cancel()}>
              {page.cancel}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Choices({ chart, model, adjustment }: PulledProps) {
  const { texts, facts, comfort } = model;
  const { suggestion } = chart.data;
  const stress = comfort?.stress ?? null;
  const choices = choicesFor(adjustment.line, { facts, suggestion, stress });
  return choices.length === 0 ? null : (
    <div class="chart-bar-choices">
      {choices.map(({ value, reason }) => (
        <Button
          key={value}
          disabled={adjustment.phase === 'saving'}
          aria-pressed={value === adjustment.value}
          onClick={() => chart.pullTo(value)}
        >
          {`${texts.value(value)}\u00a0`}
          <span>{texts.phrases[reason]}</span>
        </Button>
      ))}
    </div>
  );
}

function Consequences(props: PulledProps) {
  const sentences = [...alertConsequences(props), ...soilConsequences(props)];
  const isPending = props.model.backtest?.answer === undefined;
  return sentences.length === 0 ? null : (
    <p class={isPending ? 'chart-bar-facts is-pending' : 'chart-bar-facts'} aria-live="polite">
      {sentences.join(' ')}
    </p>
  );
}

function alertConsequences({ model: { texts, backtest }, adjustment }: PulledProps): string[] {
  const { phrases } = texts;
  const { line, value } = adjustment;
  if (backtest === null || !hasAlertOnceSaved(line)) return [];

  const sentences: string[] = [];
  const { answer, hasFailed, testedMs } = backtest;
  if (answer === undefined) sentences.push(hasFailed ? phrases.noCount : phrases.counting);
  else {
    const { episodes, hoursBelow, inForce } = answer;
    sentences.push(
      phrases.backtest({
        times: episodes.length,
        isTruncated: isTruncated(answer),
        timeBelow: texts.hours(hoursBelow),
        period: texts.days(testedMs),
      }),
    );
    if (value !== line.value && inForce !== null)
      sentences.push(phrases.activeAlert(inForce.episodes, texts.value(Number(inForce.threshold))));
  }

  if (line.kind === 'wiltingPoint')
    sentences.push(line.alert === null ? phrases.createsAlert : phrases.movesAlert);

  return sentences;
}

function soilConsequences({ chart, model, adjustment }: PulledProps): string[] {
  const { texts, comfort } = model;
  const { line, value } = adjustment;
  const isSoil = line.kind === 'fieldCapacity' || line.kind === 'wiltingPoint';
  const stress = comfort?.stress ?? null;

  const sentences: string[] = [];
  if (isSoil && value !== line.value && stress !== null)
    sentences.push(texts.phrases.stressFollows(texts.value(stress)));
  if (line.kind === 'fieldCapacity' && chart.data.suggestion?.fieldCapacity === null)
    sentences.push(texts.phrases.noSuggestion);

  return sentences;
}

const Refusal = ({
  error,
  texts,
}: {
  readonly error: ServiceError | null;
  readonly texts: ChartTexts;
}) =>
  error && (
    <div class="chart-bar-error">
      <ErrorMessage error={error} lang={texts.lang} />
    </div>
  );
