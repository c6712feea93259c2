import type { ThresholdSuggestionBody } from '../../schema/advice/advice.ts';
import type { BacktestBody } from '../../schema/alerts/alert.ts';
import type { ChartTexts } from '../chart/chart-texts.ts';
import { ErrorMessage } from '../notice.tsx';
import type { ServiceError } from '../service/service.ts';
import { type Adjustment, isPulled } from './adjustment.ts';
import { isTruncated } from './backtest-feed.ts';
import { lineName } from './line-layer.tsx';
import { type ThresholdLine, watchesWith } from './threshold-lines.ts';

/** A value with its reason: found in the readings, the stress point, or usual for the soil. */
export interface Choice {
  readonly value: number;
  readonly reason: 'suggested' | 'atStressPoint' | 'fromSoil';
}

interface AdjustmentBarProps {
  readonly adjustment: Adjustment;
  readonly texts: ChartTexts;
  /** The backtest of the present value of the line; undefined until it is loaded. */
  readonly backtest: BacktestBody | undefined;
  readonly hasFailed: boolean;
  /** The length of the tested period in ms. */
  readonly testedMs: number;
  readonly stress: number | null;
  readonly choices: readonly Choice[];
  readonly suggestion: ThresholdSuggestionBody | null;
  onChoose(value: number): void;
  onSave(): void;
  onCancel(): void;
  onUndo(): void;
  onClose(): void;
}

export function AdjustmentBar(props: AdjustmentBarProps) {
  const { adjustment, texts } = props;
  const { page } = texts;
  const { line, value, error } = adjustment;
  const name = lineName(line, texts);
  if (isPulled(adjustment)) return <Pulled {...props} />;

  const { phase } = adjustment;
  const isNew = line.kind === 'newAlert' || (line.annotationId === null && line.kind !== 'alert');
  const text = texts.value(value);
  const undone = isNew ? page.removed(name) : page.restored(name, text);

  return (
    <div class="chart-bar" role="status">
      <p class="chart-bar-title">{phase === 'undone' ? undone : page.saved(name, text)}</p>
      <Refusal error={error} texts={texts} />
      <div class="chart-bar-buttons">
        {phase !== 'undone' && adjustment.changeId !== null && (
          <button
            type="button"
            class="primary"
            disabled={phase === 'undoing'}
            onClick={props.onUndo}
          >
            {phase === 'undoing' ? page.undoing : page.undo}
          </button>
        )}
        <button type="button" onClick={props.onClose}>
          {page.close}
        </button>
      </div>
    </div>
  );
}

function Pulled(props: AdjustmentBarProps) {
  const { adjustment, texts, choices } = props;
  const { page } = texts;
  const { line, value, phase, error } = adjustment;
  const name = lineName(line, texts);
  const isStored = line.kind !== 'newAlert';
  const isMoved = value !== line.value;
  const canSave = phase === 'waiting' && (isMoved || !isStored);

  return (
    <section class={`chart-bar is-${phase}`} aria-label={name}>
      <p class="chart-bar-title">
        {isStored && isMoved
          ? page.lineMoved(name, texts.value(line.value), texts.value(value))
          : page.lineAt(name, texts.value(value))}
      </p>
      <Consequences {...props} line={line} isMoved={isMoved} />
      <Refusal error={error} texts={texts} />
      {phase !== 'moving' && (
        <>
          {choices.length > 0 && (
            <div class="chart-bar-choices">
              {choices.map((choice) => (
                <button
                  key={choice.value}
                  type="button"
                  disabled={phase === 'saving'}
                  aria-pressed={choice.value === value}
                  onClick={() => props.onChoose(choice.value)}
                >
                  {`${texts.value(choice.value)}\u00a0`}
                  <span>{page[choice.reason]}</span>
                </button>
              ))}
            </div>
          )}
          <div class="chart-bar-buttons">
            <button type="button" class="primary" disabled={!canSave} onClick={props.onSave}>
              {phase === 'saving' ? page.saving : page.save}
            </button>
            <button type="button" disabled={phase === 'saving'} onClick={props.onCancel}>
              {page.cancel}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

interface ConsequencesProps extends AdjustmentBarProps {
  readonly line: ThresholdLine;
  readonly isMoved: boolean;
}

function Consequences({
  texts,
  line,
  isMoved,
  backtest,
  hasFailed,
  testedMs,
  stress,
  suggestion,
}: ConsequencesProps) {
  const { page } = texts;
  const sentences: string[] = [];

  if (watchesWith(line)) {
    if (backtest === undefined) sentences.push(hasFailed ? page.noCount : page.counting);
    else {
      const { episodes, hoursBelow, inForce } = backtest;
      sentences.push(
        page.backtest({
          times: episodes.length,
          isTruncated: isTruncated(backtest),
          timeBelow: texts.hours(hoursBelow),
          period: texts.days(testedMs),
        }),
      );
      if (isMoved && inForce !== null)
        sentences.push(page.activeAlert(inForce.episodes, texts.value(Number(inForce.threshold))));
    }

    if (line.kind === 'wiltingPoint')
      sentences.push(line.alert === null ? page.createsAlert : page.movesAlert);
  }

  const isSoil = line.kind === 'fieldCapacity' || line.kind === 'wiltingPoint';
  if (isSoil && isMoved && stress !== null) sentences.push(page.stressFollows(texts.value(stress)));
  if (line.kind === 'fieldCapacity' && suggestion !== null && suggestion.fieldCapacity === null)
    sentences.push(page.noSuggestion);

  return sentences.length === 0 ? null : (
    <p
      class={backtest === undefined ? 'chart-bar-facts is-pending' : 'chart-bar-facts'}
      aria-live="polite"
    >
      {sentences.join(' ')}
    </p>
  );
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
