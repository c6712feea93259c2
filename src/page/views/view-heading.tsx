import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { hrefOf, type PageRoute } from '../route.ts';

interface ViewHeadingProps {
  readonly title: string;
  readonly back?: PageRoute;
  readonly children?: ComponentChildren;
}

let hasShownView = false;

/** A new view begins at its heading, also for the keyboard and for screen readers. */
export function ViewHeading({ title, back, children }: ViewHeadingProps) {
  const { texts } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Acequia`;
    // When the page opens, the focus is left to the browser.
    if (hasShownView) {
      heading.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    hasShownView = true;
  }, [title]);

  return (
    <header class="view-head">
      {back && (
        <a class="back" href={hrefOf(back)}>
          <span class="hidden">{texts.back}</span>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M15 4 7 12l8 8" />
          </svg>
        </a>
      )}
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </header>
  );
}
