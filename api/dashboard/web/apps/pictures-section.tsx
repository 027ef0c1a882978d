import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../data/account/for-role.tsx';
import {
  type PictureChange,
  type PictureProposal,
  type Pictures,
  type PictureUse,
  useChangePictures,
  useProposePictures,
} from '../data/apps/pictures.ts';
import { useApp } from '../data/apps/use-app.ts';
import { wordsOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';
import { Section } from '../ui/section.tsx';
import { toastDone, toastProblem } from '../ui/toast.ts';
import { PictureRow } from './picture-row.tsx';
import { PictureShown } from './picture-shown.tsx';

interface Problem {
  readonly use: PictureUse;
  readonly words: string;
}

/** What every notification of the app shows beside its text. Each change holds at once, and can be undone. */
export default function PicturesSection(): ReactNode {
  const app = useApp();
  const may = useMay('member');
  const change = useChangePictures(app);
  const [before, setBefore] = useState<Pictures | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const apply = (given: PictureChange, undoes = false): void => {
    const { icon_url, badge_url } = app;
    setProblem(null);
    change.mutate(given, {
      onSuccess: () => {
        setBefore(undoes ? null : { icon_url, badge_url });
        toastDone(undoes ? t.pictures.undone : t.pictures.saved);
      },
      onError: (error) => setProblem({ use: pictureOf(given), words: wordsOf(error) }),
    });
  };
  const row = { busy: change.isPending, may, onChange: apply };
  const wrongOf = (use: PictureUse): string | null => (problem?.use === use ? problem.words : null);
  return (
    <Section title={t.pictures.title} description={t.pictures.hint}>
      <PictureRow use="icon" url={app.icon_url} problem={wrongOf('icon')} {...row} />
      <PictureRow use="badge" url={app.badge_url} problem={wrongOf('badge')} {...row} />
      <Proposal
        identifier={app.identifier}
        may={may}
        onUse={(pictures) => apply({ kind: 'set', pictures })}
      />
      {before !== null && (
        <Group>
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => apply({ kind: 'set', pictures: before }, true)}
          >
            {t.pictures.undo}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const pictureOf = (change: PictureChange): PictureUse =>
  change.kind === 'file' ? change.use : 'icon_url' in change.pictures ? 'icon' : 'badge';

interface ProposalProps {
  readonly identifier: string;
  readonly may: boolean;
  readonly onUse: (pictures: Partial<Pictures>) => void;
}

/** What the site shows of itself, to be taken with one press. */
function Proposal({ identifier, may, onUse }: ProposalProps): ReactNode {
  const propose = useProposePictures(identifier);
  const found = propose.data;
  const take = ({ icon, badge }: PictureProposal): void => {
    onUse({
      ...(icon === null ? {} : { icon_url: icon.url }),
      ...(badge === null ? {} : { badge_url: badge.url }),
    });
    propose.reset();
  };
  return (
    <>
      <Group>
        <Button
          variant="light"
          disabled={!may}
          loading={propose.isPending}
          onClick={() => propose.mutate(undefined, { onError: toastProblem })}
        >
          {t.pictures.propose}
        </Button>
      </Group>
      <div role="status">{found !== undefined && <Found found={found} onTake={() => take(found)} />}</div>
    </>
  );
}

function Found({ found, onTake }: { found: PictureProposal; onTake: () => void }): ReactNode {
  const { icon, badge } = found;
  if (icon === null && badge === null) return <Text size="sm">{t.pictures.noneFound}</Text>;
  return (
    <Alert color="indigo" title={t.pictures.found}>
      <Group mb="sm">
        {icon !== null && <PictureShown use="icon" src={icon.url} />}
        {badge !== null && <PictureShown use="badge" src={badge.url} />}
      </Group>
      {[icon, badge].map((each) =>
        each === null ? null : (
          <Text key={each.source} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {each.source}
          </Text>
        ),
      )}
      <Button mt="sm" onClick={onTake}>
        {t.pictures.take}
      </Button>
    </Alert>
  );
}
