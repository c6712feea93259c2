import { isImplausibleGain } from '../../domain/advice/watering-response.ts';
import { capitalize } from '../../domain/strings.ts';
import { formatQuantity } from '../../language/american-quantities.ts';
import { languageOf } from '../../language/index.ts';
import { formatEstimate } from '../../language/number-format.ts';
import { formatDate } from '../../language/time.ts';
import type { ReviewBody, ReviewedWateringBody } from '../../schema/advice/review.ts';
import { ErrorMessage } from '../notice.tsx';
import { type PageContextValue, usePage } from '../page-context.ts';
import { describeWitness, joinParts, nameOfProbe, type PageTexts } from '../page-texts.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { ViewHeading } from './view-heading.tsx';

const MAX_ROWS = 50;

export function ReviewView({ moduleId }: { readonly moduleId: number }) {
  const { service, texts, farm, lang, versionOf } = usePage();
  const read = () => service.call('review_waterings', { moduleId, limit: MAX_ROWS });

  const { value, error, load } = useLoaded(read, [moduleId, versionOf(moduleId)]);
  const probe = farm.data.find((known) => known.moduleId === moduleId);
  return (
    <main>
      <ViewHeading title={texts.review} back={{ view: 'probe', moduleId }}>
        <p class="subtitle">{probe && nameOfProbe(probe)}</p>
      </ViewHeading>
      {error && <ErrorMessage error={error} lang={lang} onRetry={load} />}
      {value ? <Reviewed review={value.body} /> : !error && <p class="note">{texts.loading}</p>}
    </main>
  );
}

function Reviewed({ review }: { readonly review: ReviewBody }) {
  const page = usePage();
  const { texts, lang, zone, now } = page;
  const context = { lang, zone, now: now() };
  const { waterings, unlogged } = review;
  const doubt = describeDoubt(review, page);
  const wettingEvents = unlogged.filter(
    ({ likely, isMistimed }) => likely !== 'rain' && isMistimed !== true,
  );

  return (
    <>
      <p class="note">
        {languageOf(lang).time.acrossDays(
          formatDate(review.start, context),
          formatDate(review.end, context),
        )}
      </p>
      {doubt !== null && <p>{doubt}</p>}
      {waterings.length === 0 && <p>{texts.noReviewed}</p>}
      <ul class="rows">
        {waterings.map((watering) => (
          <li key={watering.eventId}>
            <ReviewedWatering watering={watering} />
          </li>
        ))}
      </ul>
      {wettingEvents.length > 0 && (
        <section>
          <h2>{texts.unlogged}</h2>
          <ul class="rows">
            {wettingEvents.map((event) => (
              <li key={event.start}>
                <WettingEvent event={event} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What the advice doubts of the waterings; null without a doubt. */
function describeDoubt(
  { exchangedWith, unseenWaterings: unseen, earlyWaterings: early }: ReviewBody,
  { texts: { doubted }, farm }: Pick<PageContextValue, 'texts' | 'farm'>,
): string | null {
  const other = farm.data.find(({ moduleId }) => moduleId === exchangedWith);
  if (other !== undefined) return doubted.exchanged(nameOfProbe(other));
  const doubts = [
    unseen && (unseen.shiftDays === null ? doubted.unseen : doubted.shifted),
    early && doubted.early(early.hours),
  ].filter((doubt) => doubt !== undefined);
  return doubts.length === 0 ? null : doubts.join(' ');
}

function WettingEvent({ event }: { readonly event: ReviewBody['unlogged'][number] }) {
  const page = usePage();
  const { texts, timeOf } = page;
  const { start, waterMm, riseMm, likely } = event;
  const mm = waterMm ?? riseMm;
  return (
    <>
      <p>
        <strong>{timeOf(start)}</strong>
      </p>
      <p>
        {joinParts(
          texts.likely[likely],
          mm !== null && `≈ ${formatQuantity(mm, 'mm', page, formatEstimate)}`,
        )}
      </p>
    </>
  );
}

function describeResponse(response: ReviewedWateringBody['response'], texts: PageTexts): string {
  if (response === 'other_water') return texts.likely.unknown;
  const isFlat = response === 'full_soil' || response === 'too_light';
  return texts.responses[isFlat ? 'no_response' : response];
}

function ReviewedWatering({ watering }: { readonly watering: ReviewedWateringBody }) {
  const page = usePage();
  const { texts, timeOf } = page;
  const { startedAt, waterMm, waterMmWetted, response, deepestCm, riseMm } = watering;
  const hasReached = response === 'reached' || response === 'below_roots';
  const isPlausible =
    hasReached && riseMm !== null && !isImplausibleGain(riseMm, waterMmWetted ?? waterMm);

  return (
    <>
      <p>
        <strong>{timeOf(startedAt)}</strong>
        <span class="right">
          {waterMm === null ? texts.unknownDose : formatQuantity(waterMm, 'mm', page)}
        </span>
      </p>
      <p class={`response ${response}`}>
        {joinParts(
          describeWitness(watering, texts),
          capitalize(describeResponse(response, texts)),
          deepestCm !== null && texts.reachedDepth(formatQuantity(deepestCm, 'cm', page)),
          isPlausible && texts.gained(formatQuantity(riseMm, 'mm', page, formatEstimate)),
        )}
      </p>
    </>
  );
}
