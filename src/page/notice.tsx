import { useMemo, useState } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import { Button } from './button.tsx';
import { pageTexts } from './page-texts.ts';
import type { ServiceCall } from './service/page-operations.ts';
import { NO_ANSWER, type Service, type ServiceError } from './service/page-service.ts';
import { toServiceError } from './service/use-loaded.ts';
import { writerOnce } from './service/write-once.ts';

/** Says what was just done; shown with undo if there is a change. */
export interface Notice {
  readonly text: string;
  readonly changeId: number | null;
  readonly error: ServiceError | null;
}

export function useNotice(service: Service, lang: Lang, reload: () => Promise<void>) {
  const [notice, setNotice] = useState<Notice | null>(null);
  const write = useMemo(() => writerOnce<ServiceCall<'undo'>>(service), [service]);

  const undo = async (changeId: number): Promise<void> => {
    try {
      await write(String(changeId), { operation: 'undo', fields: { changeId } });
      setNotice({ text: pageTexts(lang).undone, changeId: null, error: null });
      await reload();
    } catch (failure) {
      const error = toServiceError(failure);
      setNotice({ text: '', changeId: error.code === NO_ANSWER ? changeId : null, error });
    }
  };

  return { notice, notify: setNotice, undo };
}

interface NoticeBarProps {
  readonly notice: Notice | null;
  readonly lang: Lang;
  onUndo(changeId: number): Promise<void>;
  onClose(): void;
}

/** Stays until it is closed or the next one comes: a person in a field looks up late. */
export function NoticeBar({ notice, lang, onUndo, onClose }: NoticeBarProps) {
  const texts = pageTexts(lang);
  const [undoing, setUndoing] = useState<number | null>(null);
  const changeId = notice?.changeId ?? null;

  const undo = async (id: number): Promise<void> => {
    setUndoing(id);
    await onUndo(id);
    setUndoing(null);
  };

  return (
    <div class="notice-place" role="status">
      {notice && (
        <div class="notice">
          {notice.error ? <ErrorMessage error={notice.error} lang={lang} /> : <p>{notice.text}</p>}
          {changeId !== null && (
            <Button disabled={undoing === changeId} onClick={() => undo(changeId)}>
              {texts.undo}
            </Button>
          )}
          <Button class="icon" aria-label={texts.close} onClick={onClose}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m6 6 12 12M18 6 6 18" />
            </svg>
          </Button>
        </div>
      )}
    </div>
  );
}

interface ErrorMessageProps {
  readonly error: ServiceError;
  readonly lang: Lang;
  onRetry?(): void;
}

/**
 * In plain words, with what to do; the words of the service only where the page has none of its
 * own.
 */
export function ErrorMessage({ error, lang, onRetry }: ErrorMessageProps) {
  const texts = pageTexts(lang);
  const known = texts.errors[error.code];
  const [what, todo] = known ?? texts.otherError;

  return (
    <div class="problem" role="alert">
      <p>
        <strong>{what}</strong> {todo}
      </p>
      {known === undefined && (
        <p class="small" lang="en">
          {error.message} {error.hint} <code>{error.code}</code>
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>{texts.retry}</Button>}
    </div>
  );
}
