import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { useApp } from '../data/apps/use-app.ts';
import { categoriesQuery } from '../data/categories/queries.ts';
import { useApi } from '../data/http/services.tsx';
import { t } from '../texts/t.ts';
import classes from './preview.module.css';
import type { VariantValues } from './values.ts';

const words = t.prompts;
/** As many as the SDK shows. */
const MAX_CATEGORIES = 12;

/** A page of the site with the prompt on it, as the form has it now. A picture: nothing in it can be pressed. */
export function PromptPreview({ variant, label }: { variant: VariantValues; label: string }): ReactNode {
  const { kind } = variant;
  return (
    <div className={classes.page} role="img" aria-label={label} style={coloursOf(variant)}>
      <div className={classes.lines} aria-hidden="true" />
      <div className={classes[kind]} data-place={variant.place} aria-hidden="true">
        {kind === 'bell' ? (
          <svg viewBox="0 0 24 24" width="24" fill="currentColor" aria-hidden="true">
            <path d="M12 22a2.5 2.5 0 0 0 2.45-2h-4.9A2.5 2.5 0 0 0 12 22Zm7-6v-5a7 7 0 0 0-5.5-6.84V3.5a1.5 1.5 0 0 0-3 0v.66A7 7 0 0 0 5 11v5l-2 2v1h18v-1Z" />
          </svg>
        ) : (
          <Card variant={variant} />
        )}
      </div>
    </div>
  );
}

function Card({ variant }: { variant: VariantValues }): ReactNode {
  const { kind, question, accept, later, categories } = variant;
  return (
    <>
      {kind === 'slide-down' ? (
        <Head question={question || words.own.question} />
      ) : (
        <span className={classes.question}>{question || words.own.question}</span>
      )}
      {kind === 'slide-down' && categories && <Categories />}
      <span className={classes.acts}>
        <span className={classes.later}>{later || words.own.later}</span>
        <span className={classes.accept}>{accept || words.own.accept}</span>
      </span>
    </>
  );
}

/** The icon of the app stands for that of the page, which readers see. */
function Head({ question }: { question: string }): ReactNode {
  const { icon_url: icon } = useApp();
  return (
    <span className={classes.head}>
      {icon !== null && <img src={icon} alt="" width={40} height={40} className={classes.icon} />}
      <span>
        <span className={classes.question}>{question}</span>
        <span className={classes.benefit}>{words.own.benefit}</span>
      </span>
    </span>
  );
}

function Categories(): ReactNode {
  const { identifier } = useApp();
  const { data } = useQuery(categoriesQuery(useApi(), identifier));
  return (
    <span className={classes.categories}>
      {(data?.data ?? []).slice(0, MAX_CATEGORIES).map(({ id, name }) => (
        <span key={id} className={classes.category}>
          ✓ {name}
        </span>
      ))}
    </span>
  );
}

const coloursOf = ({ background, text, accent, accent_text }: VariantValues): CSSProperties =>
  ({
    '--prompt': background,
    '--prompt-text': text,
    '--prompt-accent': accent,
    '--prompt-accent-text': accent_text,
  }) as CSSProperties;
