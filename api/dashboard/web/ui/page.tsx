import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { RoleNote } from '../data/account/for-role.tsx';
import { t } from '../texts/t.ts';
import { InSlices } from './in-slices.tsx';
import classes from './page.module.css';
import { useScrollBack } from './use-scroll-back.ts';
import { useTitle } from './use-title.ts';

export interface Crumb {
  readonly label: string;
  readonly to: LinkProps['to'];
  readonly params?: Record<string, string>;
}

export interface PageProps {
  readonly title: string;
  /** The pages above it, outermost first. */
  readonly crumbs?: readonly Crumb[];
  readonly description?: ReactNode;
  /** Buttons at its top: the most frequent first. */
  readonly actions?: ReactNode;
  /** `narrow` for forms and text. */
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}

/** One page: its title in the window and at its top, which is focused on entry. */
export function Page({
  title,
  crumbs = [],
  description,
  actions,
  width = 'wide',
  children,
}: PageProps): ReactNode {
  useTitle(title);
  const heading = useFocusOnArrival();
  useScrollBack();
  return (
    <Stack gap="lg" className={classes[width]}>
      <div>
        {crumbs.length > 0 && <Trail crumbs={crumbs} />}
        <Group justify="space-between" align="flex-start" gap="md">
          <div className={classes.head}>
            <Title order={1} size="h2" tabIndex={-1} ref={heading} className={classes.title}>
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" mt={4} component="div">
                {description}
              </Text>
            )}
            <RoleNote />
          </div>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
      </div>
      <InSlices placeholder={<div aria-busy="true" />}>{children}</InSlices>
    </Stack>
  );
}

const Trail = ({ crumbs }: { crumbs: readonly Crumb[] }): ReactNode => (
  <nav aria-label={t.nav.breadcrumbs} className={classes.trail}>
    <Breadcrumbs separatorMargin={6}>
      {crumbs.map(({ label, to, params }) => (
        <Anchor
          key={label}
          renderRoot={(props) => <Link to={to as string} params={params as never} {...props} />}
        >
          {label}
        </Anchor>
      ))}
    </Breadcrumbs>
  </nav>
);

/** A screen reader begins to read where the focus is; the first page of all leaves it to the browser. */
function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const { activeElement, documentElement } = document;
    // Kept beside React: a page may be mounted twice until its code is there.
    const { dataset } = documentElement;
    dataset.firstPath ??= location.pathname;
    if (dataset.firstPath !== location.pathname) dataset.moved = 'yes';
    // A field that asked for the focus keeps it.
    if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) return;
    if (dataset.moved === 'yes') heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
