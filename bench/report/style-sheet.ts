/** For the pages. Eight colours that are distinguishable on white and on black, in a fixed order. */
export const partColours = 8;

export const styleSheet = `
:root { --ground: #fff; --ink: #1a1d21; --faint: #5c6570; --line: #d9dee3; --own: #0b63c5; --bar: #9aa7b4;
  --p0: #0b63c5; --p1: #d9730d; --p2: #2b8a3e; --p3: #9c36b5; --p4: #c92a2a; --p5: #0c8599; --p6: #8a6d00; --p7: #5c6570; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171a; --ink: #e8ebee; --faint: #9aa4ae; --line: #343b42; --own: #6cb1ff; --bar: #6b7681;
    --p0: #6cb1ff; --p1: #ffa94d; --p2: #69db7c; --p3: #da77f2; --p4: #ff8787; --p5: #66d9e8; --p6: #ffe066; --p7: #9aa4ae; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.2rem; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.when, .legend { color: var(--faint); font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
.number { text-align: right; }
.bars { display: grid; gap: .6rem; } .bar .name { display: flex; justify-content: space-between; gap: 1rem; font-size: .9rem; }
.bar .name span:last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.track { position: relative; display: flex; height: 1rem; background: var(--line); border-radius: 3px; overflow: hidden; }
.fill { height: 100%; background: var(--bar); } .own .fill { background: var(--own); }
.whisker { position: absolute; top: .4rem; height: .2rem; background: var(--ink); opacity: .7; }
.legend span { display: inline-block; margin-right: 1rem; } .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: 2px; }
svg.flame { width: 100%; height: auto; display: block; } svg.flame text { font: 11px system-ui, sans-serif; fill: #14171a; pointer-events: none; }
svg.flame rect { stroke: var(--ground); stroke-width: .5; }
${Array.from({ length: partColours }, (_, at) => `.p${at} { background: var(--p${at}); }`).join(' ')}
`;
