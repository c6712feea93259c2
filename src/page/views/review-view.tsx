import { isImplausibleGain } from '../../domain/advice/watering-response.ts';
import { languageOf } from '../../language/index.ts';
import { formatAmount, formatEstimate } from '../../language/number-format.ts';
import { capitalize } from '../../language/text.ts';
import { formatDate, formatTime } from '../../language/time.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice/advice.ts';
import { ErrorMessage } from '../notice.tsx';
import { usePage } from '../page-context.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { nameOfProbe } from '../words.ts';
import { ViewHeading } from './view-heading.tsx';

const MAX_ROWS = 50;

export function ReviewView({ moduleId }: { readonly moduleId: number }) {
  const { service, words, farm, lang, version } = usePage();
  const read = () => service.perform<ReviewBody>('review_waterings', { moduleId, limit: MAX_ROWS });

  const { value, error, load } = useLoaded(read, [moduleId, version]);
  const probe = farm.data.find((each) => each.moduleId === moduleId);
  return (
    <main>
      <ViewHeading title={words.review} back={{ view: 'probe', moduleId }}>
        <p class="subtitle">{probe && nameOfProbe(probe)}</p>
      </ViewHeading>
      {error && <ErrorMessage error={error} lang={lang} onRetry={load} />}
      {value ? <Reviewed review={value.body} /> : !error && <p class="note">{words.loading}</p>}
    </main>
  );
}

function Reviewed({ review }: { readonly review: ReviewBody }) {
  const { words, lang, zone, now } = usePage();
  const context = { lang, zone, now: now() };
  const { waterings, unlogged } = review;
  const rises = unlogged.filter(({ likely }) => likely !== 'rain');

  return (
    <>
      <p class="note">
        {languageOf(lang).core.acrossDays(
          formatDate(review.start, context),
          formatDate(review.end, context),
        )}
      </p>
      {waterings.length === 0 && <p>{words.noReviewed}</p>}
      <ul class="rows">
        {waterings.map((each) => (
          <li key={each.eventId}>
            <ReviewedWatering watering={each} />
          </li>
        ))}
      </ul>
      {rises.length > 0 && (
        <section>
          <h2>{words.unlogged}</h2>
          <ul class="rows">
            {rises.map(({ start, waterMm, riseMm, likely }) => (
              <li key={start}>
                <p>
                  <strong>{formatTime(start, context)}</strong>
                </p>
                <p>
                  {[
                    words.likely[likely],
                    ...((waterMm ?? riseMm) === null
                      ? []
                      : [`≈ ${formatEstimate(waterMm ?? riseMm ?? 0, lang)} mm`]),
                  ].join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ReviewedWatering({ watering }: { readonly watering: ReviewedWateringBody }) {
  const { words, lang, zone, now } = usePage();
  const { startedAt, waterMm, waterMmWetted, response, deepestCm, riseMm } = watering;
  const hasReached = response === 'reached' || response === 'below_roots';
  const isPlausible =
    hasReached && riseMm !== null && !isImplausibleGain(riseMm, waterMmWetted ?? waterMm);

  return (
    <>
      <p>
        <strong>{formatTime(startedAt, { lang, zone, now: now() })}</strong>
        <span class="right">
          {waterMm === null ? words.unknownDose : `${formatAmount(waterMm, lang)} mm`}
        </span>
      </p>
      <p class={`response ${response}`}>
        {[
          capitalize(words.responses[response]),
          ...(deepestCm === null ? [] : [words.reachedDepth(formatAmount(deepestCm, lang))]),
          ...(isPlausible ? [words.gained(formatEstimate(riseMm, lang))] : []),
        ].join(' · ')}
      </p>
    </>
  );
}
