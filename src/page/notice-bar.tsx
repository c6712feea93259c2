import { useState } from 'preact/hooks';
import type { Lang } from '../domain/lang.ts';
import type { Notice } from './page-context.ts';
import { Problem } from './problem.tsx';
import { wordsOf } from './words.ts';

interface NoticeBarProps {
  readonly notice: Notice | null;
  readonly lang: Lang;
  onUndo(changeId: number): Promise<void>;
  onClose(): void;
}

/** Stays until it is closed or the next one comes: a person in a field looks up late. */
export function NoticeBar({ notice, lang, onUndo, onClose }: NoticeBarProps) {
  const words = wordsOf(lang);
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
          {notice.error ? <Problem error={notice.error} lang={lang} /> : <p>{notice.text}</p>}
          {changeId !== null && (
            <button type="button" disabled={undoing === changeId} onClick={() => undo(changeId)}>
              {words.undo}
            </button>
          )}
          <button type="button" class="icon" aria-label={words.close} onClick={onClose}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m6 6 12 12M18 6 6 18" />
            </svg>
          </button>
        </div>
      )}
    </div>
  );
}
