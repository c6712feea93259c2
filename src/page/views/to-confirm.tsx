import { useMemo, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { usePage } from '../page-context.ts';
import { describeAmounts, type ListedWatering, nameOfProbe } from '../page-texts.ts';
import type { ServiceCall } from '../service/page-operations.ts';
import { toServiceError } from '../service/use-loaded.ts';
import { writerOnce } from '../service/write-once.ts';

/** Planned waterings whose time is over: a person says whether they ran. */
export function ToConfirm({ waterings }: { readonly waterings: readonly ListedWatering[] }) {
  const { texts } = usePage();
  if (waterings.length === 0) return null;

  return (
    <section class="confirm" aria-label={texts.toConfirm(waterings.length)}>
      <h2>{texts.toConfirm(waterings.length)}</h2>
      <ul>
        {waterings.map((watering) => (
          <li key={watering.id}>
            <PlannedWatering watering={watering} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PlannedWatering({ watering }: { readonly watering: ListedWatering }) {
  const page = usePage();
  const { farm, texts, timeOf, may } = page;
  const write = useWrite();
  const [isSent, setSent] = useState(false);
  const probe = farm.data.find(({ moduleId }) => moduleId === watering.moduleId);
  const name = probe === undefined ? `#${watering.moduleId}` : nameOfProbe(probe);
  const when = timeOf(watering.startedAt);

  const answer = async (status: 'done' | 'skipped'): Promise<void> => {
    setSent(true);
    const fields = {
      eventId: watering.id,
      startedAt: watering.startedAt,
      inputMode: watering.inputMode,
      status,
    };

    const outcome = status === 'done' ? texts.confirmed : texts.skipped;
    await write({ operation: 'correct_watering', fields, text: `${name}, ${when}: ${outcome}` });
    setSent(false);
  };

  return (
    <div class="waiting">
      <p>
        <strong>{name}</strong> {when}
        <br />
        <span class="small">{describeAmounts(watering, page)}</span>
      </p>
      {may('irrigation:write') && (
        <p class="actions">
          <Button class="primary" disabled={isSent} onClick={() => answer('done')}>
            {texts.ran}
            <span class="hidden">
              : {name}, {when}
            </span>
          </Button>
          <Button disabled={isSent} onClick={() => answer('skipped')}>
            {texts.skip}
            <span class="hidden">
              : {name}, {when}
            </span>
          </Button>
        </p>
      )}
    </div>
  );
}

type NotifiedCall = ServiceCall<'correct_watering'> & {
  /** The notice that is shown once it is recorded. */
  readonly text: string;
};

/** Writes one watering once, shows a notice with undo, and reads the farm again. */
function useWrite(): (attempt: NotifiedCall) => Promise<void> {
  const { service, notify, reload } = usePage();
  const write = useMemo(() => writerOnce<NotifiedCall>(service), [service]);
  return async (attempt) => {
    try {
      const { recorded, answer } = await write('confirm', attempt);
      notify({ text: recorded.text, changeId: answer.changeId ?? null, error: null });
      await reload();
    } catch (error) {
      notify({ text: '', changeId: null, error: toServiceError(error) });
    }
  };
}
