import type { Lang } from '../domain/lang.ts';
import type { ServiceError } from './service.ts';
import { wordsOf } from './words.ts';

interface ProblemProps {
  readonly error: ServiceError;
  readonly lang: Lang;
  onRetry?(): void;
}

/** In plain words, with what to do; the words of the service only where the page has none of its own. */
export function Problem({ error, lang, onRetry }: ProblemProps) {
  const words = wordsOf(lang);
  const known = words.errors[error.code];
  const { what, todo } = known ?? words.otherError;
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
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
