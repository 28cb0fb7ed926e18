/* Draws the charts of a page of Ebb from the data that the page holds, by Apache ECharts. */
'use strict';
(() => {
  const LIGHT = {ink: '#17202b', soft: '#55606d', line: '#dbe1e8', bg: '#ffffff', range: '#f1d9a766',
    none: '#e9edf1',
    colours: ['#0072b2', '#d55e00', '#009e73', '#b4589a', '#a87900', '#3a94c9', '#6b4ba1', '#444c56'],
    scale: [[239, 244, 249], [253, 212, 158], [239, 101, 72], [127, 10, 10]]};
  const DARK = {ink: '#e8ecf1', soft: '#9fabb8', line: '#2a333e', bg: '#0f141a', range: '#f1d9a726',
    none: '#222b35',
    colours: ['#56b4e9', '#ff8c42', '#3fd0a4', '#e59ac9', '#f0c040', '#8fd0ff', '#b9a0f0', '#c6ced8'],
    scale: [[27, 37, 49], [122, 62, 24], [226, 112, 52], [255, 222, 173]]};
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];
  const DASHES = ['solid', 'dashed', 'dotted'];
  const SMALL = {fontSize: 12};
  const MANY = 2000;
  const media = matchMedia('(prefers-color-scheme: dark)');
  let paper = false;
  const SHEET = 800;
  const look = () => (media.matches && !paper ? DARK : LIGHT);
  const safe = text => echarts.format.encodeHTML(String(text));
  const short = new Intl.NumberFormat('en-US', {notation: 'compact', maximumFractionDigits: 2});
  const plain = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 4});
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});

  function number(value) {
    if (value === null || value === undefined || !isFinite(value)) {
      return '\u2013';
    }
    return (Math.abs(value) >= 1000 ? whole : plain).format(value);
  }

  /** A tick; on logarithmic axes the value has its unit's own prefix: 1 us, 1 ms, 1 s. */
  function tick(value, unit, log) {
    if (log && unit === 'us') {
      return value >= 1e6 ? plain.format(value / 1e6) + ' s'
          : value >= 1e3 ? plain.format(value / 1e3) + ' ms' : plain.format(value) + ' us';
    }
    return Math.abs(value) >= 1e4 ? short.format(value) : plain.format(value);
  }

  const withUnit = (value, unit, log) =>
    log && unit === 'us' ? tick(value, unit, true) : number(value) + (unit ? ' ' + unit : '');

  /** Percentiles lie on an axis of nines: 0 is 0%, 1 is 90%, 2 is 99%. */
  const nines = value => +(100 * (1 - Math.pow(10, -value))).toFixed(Math.max(0, Math.ceil(value))) + '%';

  /** And sizes on one of powers of two: 16 is 64 KiB. */
  const binary = value => plain.format(Math.pow(2, value % 10))
    + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][Math.floor(value / 10)];

  /** And what lies far apart on one of decades: -1 is 0.1. */
  const decades = at => number(Math.pow(10, at));

  const AXES = {nines, binary, decades};

  /** Where values lie on such an axis. */
  const PLACES = {nines: value => -Math.log10(1 - value / 100), binary: Math.log2, decades: Math.log10};

  /** The data of a chart; x are places on its axis, values what they stand for. */
  function read(figure) {
    const spec = JSON.parse(figure.querySelector('script').textContent), place = PLACES[spec.xScale];
    return place ? {...spec, values: spec.xs, xs: spec.xs.map(x => x.map(place))} : {...spec, values: spec.xs};
  }

  /** 1, 2 and 5 of each decade; of many decades 1. */
  function decadeTicks(low, high) {
    const steps = high - low > 3 ? [0] : [0, Math.log10(2), Math.log10(5)], ticks = [];
    for (let decade = Math.floor(low); decade <= high; decade++) {
      ticks.push(...steps.map(step => decade + step).filter(at => at >= low && at <= high));
    }
    return {customValues: ticks};
  }

  const axisStyle = l => ({
    axisLine: {show: true, lineStyle: {color: l.soft}}, axisTick: {lineStyle: {color: l.soft}},
    axisLabel: {color: l.soft, fontSize: 12, hideOverlap: true},
    nameTextStyle: {color: l.soft, fontSize: 12}, splitLine: {lineStyle: {color: l.line}}});

  const tooltip = l => ({confine: true, backgroundColor: l.bg, borderColor: l.line,
    textStyle: {color: l.ink, fontSize: 13}, extraCssText: 'max-width:90vw;white-space:normal'});

  const frame = l => ({animation: false, backgroundColor: 'transparent',
    textStyle: {fontFamily: 'system-ui,-apple-system,"Segoe UI",sans-serif', color: l.ink}});

  const colour = (l, i) => l.colours[i % l.colours.length];
  const dash = i => DASHES[Math.floor(i / LIGHT.colours.length) % DASHES.length];

  function names(spec) {
    const all = spec.panels ? spec.panels.flatMap(p => p.series) : spec.series || [];
    return [...new Set(all.map(s => s.name))];
  }

  /** What axes of numbers end at: a share of most at all, and nothing but zeros at one. */
  function upTo(values, {unit, whole}) {
    const most = Math.max(...values.map(all => all.reduce((a, b) => Math.max(a, b ?? 0), 0)));
    const least = Math.min(...values.map(all => all.reduce((a, b) => Math.min(a, b ?? 0), 0)));
    const end = unit === '%' && most > 60 && most <= 100 ? 100 : most === 0 && least === 0 ? 1 : undefined;
    return {minInterval: whole ? 1 : 0, ...(end ? {max: end, interval: whole ? 1 : end / 4} : {})};
  }

  /** On paper all panels of a chart are on one sheet, for a browser would cut through one of them. */
  const panelHeight = spec => (paper
    ? Math.max(50, Math.min(spec.panelHeight, Math.floor(SHEET / spec.panels.length) - 58))
    : spec.panelHeight);

  function lines(spec) {
    const l = look(), all = names(spec), grid = [], xAxis = [], yAxis = [], series = [], title = [];
    const height = panelHeight(spec), step = height + 58;
    const far = spec.xs.filter(x => x.length);
    const first = Math.min(...far.map(x => x[0])), high = Math.max(...far.map(x => x[x.length - 1]));
    const grain = spec.xScale === 'plain' && high > first ? 10 ** Math.floor(Math.log10(high - first)) / 10 : 0;
    const low = spec.xScale !== 'decades' && first > 0 && (first < high / 4 || first === high) ? 0
      : grain ? +(Math.floor(first / grain) * grain).toPrecision(12) : first;
    const ticks = spec.xScale === 'decades' && far.length ? decadeTicks(low, high) : {};
    spec.panels.forEach((panel, p) => {
      const top = 32 + p * step, last = p + 1 === spec.panels.length;
      title.push({text: panel.title + (panel.unit && !panel.log ? ', ' + panel.unit : ''), left: 0,
        top: top - 30, textStyle: {color: l.ink, fontSize: 13, fontWeight: 600}});
      grid.push({left: 58, right: 24, top, height, outerBoundsMode: 'none'});
      const style = axisStyle(l);
      xAxis.push({...style, type: 'value', gridIndex: p, name: last ? spec.x : '',
        nameLocation: 'middle', nameGap: 26, splitLine: {show: false},
        min: far.length ? low : undefined, max: high > low ? high : undefined,
        ...(spec.xScale === 'plain' ? {} : {minInterval: 1}),
        axisTick: {...style.axisTick, ...ticks},
        axisLabel: {...style.axisLabel, ...ticks, showMinLabel: true, showMaxLabel: null, formatter: value =>
          (value === high && +value.toPrecision(2) !== value ? '' : (AXES[spec.xScale] || tick)(value))}});
      yAxis.push({...style, type: panel.log ? 'log' : 'value', gridIndex: p, splitNumber: 4,
        ...(panel.log ? {} : upTo(panel.series.map(line => line.y), panel)),
        // Names of ranges have room above the lines.
        ...(p === 0 && spec.ranges.length ? {boundaryGap: [0, '16%']} : {}),
        axisLine: {...style.axisLine, onZero: false},
        axisLabel: {...style.axisLabel, formatter: value => tick(value, panel.unit, panel.log)}});
      // Ranges and references belong to no line, so that no toggle hides them.
      series.push({type: 'line', name: '', xAxisIndex: p, yAxisIndex: p, silent: true, symbol: 'none',
        lineStyle: {opacity: 0}, tooltip: {show: false}, z: 5,
        data: panel.references.filter(() => far.length).map(r => [low, r.y]),
        markLine: {silent: true, symbol: 'none', animation: false,
          lineStyle: {color: l.soft, type: 'dashed', width: 1.5},
          label: {position: 'insideEndTop', color: l.ink, textBorderColor: l.bg, textBorderWidth: 3,
            formatter: mark => mark.name},
          data: panel.references.map(r => ({yAxis: r.y, name: r.label}))},
        markArea: {silent: true, itemStyle: {color: l.range}, animation: false,
          label: {show: p === 0, position: 'insideTop', color: l.ink, textBorderColor: l.bg,
            textBorderWidth: 3},
          data: spec.ranges.map(r =>
            [{xAxis: Math.max(low, r.from), name: r.label}, {xAxis: Math.min(high, r.to)}])}});
      panel.series.forEach(line => {
        const i = all.indexOf(line.name), x = spec.xs[line.x], y = line.y;
        const lone = k => y[k] !== null && (y[k - 1] ?? null) === null && (y[k + 1] ?? null) === null;
        const few = y.length <= 40, marked = few || y.some((_, k) => lone(k));
        series.push({type: 'line', name: line.name, xAxisIndex: p, yAxisIndex: p,
          data: Array.from(y, (value, k) => [x[k], value]), sampling: 'lttb', connectNulls: false,
          showSymbol: marked, showAllSymbol: true,
          symbol: few || !marked ? SYMBOLS[i % SYMBOLS.length]
              : (value, at) => (lone(at.dataIndex) ? 'circle' : 'none'), symbolSize: few ? 6 : 4,
          itemStyle: {color: colour(l, i)}, emphasis: {disabled: true},
          lineStyle: {color: colour(l, i), width: 2, type: dash(i)}});
      });
    });
    const indices = spec.panels.map((_, p) => p);
    return {...frame(l), title, grid, xAxis, yAxis, series, legend: {show: false, data: all},
      axisPointer: {link: [{xAxisIndex: 'all'}]},
      dataZoom: [{type: 'inside', xAxisIndex: indices, filterMode: 'filter', zoomOnMouseWheel: 'ctrl',
        moveOnMouseMove: !matchMedia('(pointer: fine)').matches, moveOnMouseWheel: false,
        preventDefaultMouseMove: false}],
      tooltip: {...tooltip(l), trigger: 'axis',
        axisPointer: {type: 'line', lineStyle: {color: l.soft}}, formatter: at => hover(spec, at)}};
  }

  function hover(spec, points) {
    const shown = points.filter(point => point.seriesName);
    if (!shown.length) {
      return '';
    }
    const x = shown[0].axisValue;
    let html = '<b>' + (AXES[spec.xScale] ? AXES[spec.xScale](x) : number(x)) + ' ' + (spec.xScale === 'binary' ? '' : safe(spec.x)) + '</b>';
    spec.panels.forEach((panel, p) => {
      const here = shown.filter(point => point.axisIndex === p);
      if (spec.panels.length > 1 && here.length) {
        html += '<div style="margin-top:4px;opacity:.75">' + safe(panel.title) + '</div>';
      }
      here.slice(0, 12).forEach(point => {
        html += '<div>' + point.marker + safe(point.seriesName)
          + ' <b style="float:right;margin-left:16px">'
          + safe(withUnit(point.value[1], panel.unit, panel.log)) + '</b></div>';
      });
      html += here.length > 12 ? '<div>and ' + (here.length - 12) + ' more</div>' : '';
    });
    return html;
  }

  function mix(scale, share) {
    const at = Math.max(0, Math.min(1, share)) * (scale.length - 1), i = Math.min(scale.length - 2, Math.floor(at));
    return scale[i].map((from, k) => Math.round(from + (at - i) * (scale[i + 1][k] - from)));
  }

  const css = rgb => 'rgb(' + rgb.join(',') + ')';

  function heat(spec, width) {
    const wide = (width - spec.left) / spec.columns.length;
    const l = look(), style = axisStyle(l);
    const known = spec.cells.filter(cell => cell.value !== null).map(cell => cell.value);
    const low = Math.min(...known), high = Math.max(...known);
    // The best is 0. The worst end is nothing of the best, or twice it, or what was seen.
    const worse = value => (spec.worse === 'lower' ? (high - value) / (Math.abs(high) || 1)
      : (value - low) / (Math.max(high - low, Math.abs(low)) || 1));
    const data = spec.cells.map(cell => {
      const rgb = cell.value === null ? null : mix(l.scale, worse(cell.value));
      const bright = rgb && (0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]) > 140;
      return {value: [cell.column, cell.row, cell.value === null ? 0 : cell.value], cell,
        itemStyle: rgb ? {color: css(rgb)} : {color: l.none, decal: {symbol: 'rect', color: l.soft + '55',
          dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4}},
        label: {color: rgb ? (bright ? '#10161d' : '#ffffff') : l.ink,
          textBorderColor: rgb ? 'transparent' : l.none, textBorderWidth: rgb ? 0 : 3}};
    });
    const label = {...style.axisLabel, color: l.ink, interval: 0, hideOverlap: false, overflow: 'truncate'};
    return {...frame(l), grid: {left: spec.left, right: 2, top: 34, bottom: 4, outerBoundsMode: 'none'},
      title: {text: spec.corner, left: 0, top: 10, textStyle: {color: l.soft, ...SMALL, fontWeight: 400}},
      xAxis: {...style, type: 'category', data: spec.columns, position: 'top', axisTick: {show: false},
        axisLine: {show: false}, splitLine: {show: false}, axisLabel: {...label, width: wide - 6}},
      yAxis: {...style, type: 'category', data: spec.rows, inverse: true, axisTick: {show: false},
        axisLine: {show: false}, splitLine: {show: false},
        axisLabel: {...label, width: spec.left - 12}},
      tooltip: {...tooltip(l), formatter: at => '<b>' + safe(spec.rows[at.data.cell.row]) + ', '
        + safe(spec.columns[at.data.cell.column]) + '</b><br>' + safe(at.data.cell.words)
        + (at.data.cell.why ? '<br>' + safe(at.data.cell.why) : '')},
      series: [{type: 'heatmap', data, itemStyle: {borderColor: l.bg, borderWidth: 2},
        emphasis: {itemStyle: {borderColor: l.ink, borderWidth: 2}},
        label: {show: true, ...SMALL, overflow: 'truncate', width: wide - 8,
          formatter: at => at.data.cell.words}}]};
  }

  function boxes(spec, width) {
    const l = look(), style = axisStyle(l), left = Math.min(260, Math.max(90, width * 0.3));
    const labels = spec.boxes.map(box => box.label);
    return {...frame(l), grid: {left, right: 20, top: 8, bottom: 46, outerBoundsMode: 'none'},
      xAxis: {...style, type: 'value', name: spec.x, nameLocation: 'middle', nameGap: 28, min: 0,
        axisLabel: {...style.axisLabel, formatter: value => tick(value)}},
      yAxis: {...style, type: 'category', data: labels, inverse: true, axisTick: {show: false},
        axisLabel: {...style.axisLabel, color: l.ink, interval: 0, width: left - 12, overflow: 'break'}},
      tooltip: tooltip(l),
      series: [{type: 'boxplot', name: 'box', data: spec.boxes.map(box => box.five), boxWidth: [10, 26],
        itemStyle: {color: colour(l, 0) + '33', borderColor: colour(l, 0), borderWidth: 2},
        tooltip: {formatter: at => '<b>' + safe(spec.boxes[at.dataIndex].label) + '</b><br>'
          + ['smallest', '25%', 'median', '75%', 'largest'].map((word, k) => word + ' '
            + withUnit(spec.boxes[at.dataIndex].five[k], spec.unit)).join('<br>')
          + '<br>' + number(spec.boxes[at.dataIndex].count) + ' values'}},
      {type: 'scatter', name: 'values', symbolSize: 6, itemStyle: {color: colour(l, 1), opacity: 0.65},
        data: spec.boxes.flatMap((box, b) => box.points.map((value, k) =>
          ({value: [value, b], symbolOffset: [0, ((k * 7) % 11) - 5]}))),
        tooltip: {formatter: at => safe(labels[at.value[1]]) + ' <b>' + withUnit(at.value[0], spec.unit)
          + '</b>'}}]};
  }

  function bars(spec) {
    const l = look(), style = axisStyle(l), all = names(spec);
    return {...frame(l), legend: {show: false, data: all},
      grid: {left: 58, right: 16, top: 30, bottom: 56, outerBoundsMode: 'none'},
      title: {text: spec.y, left: 0, top: 0, textStyle: {color: l.ink, fontSize: 13, fontWeight: 600}},
      aria: {enabled: all.length > 1, label: {enabled: false}, decal: {show: all.length > 1}},
      xAxis: {...style, type: 'category', data: spec.categories, name: spec.x, nameLocation: 'middle',
        nameGap: 32, splitLine: {show: false},
        axisLabel: {...style.axisLabel, ...(spec.histogram ? {} : {interval: 0, overflow: 'break',
          width: 84, lineHeight: 15})}},
      yAxis: {...style, type: 'value', splitNumber: 4, ...upTo(spec.series.map(one => one.values), spec),
        axisLabel: {...style.axisLabel, formatter: value => tick(value)}},
      tooltip: {...tooltip(l), trigger: 'axis', axisPointer: {type: 'shadow'}, formatter: at => '<b>'
        + safe(at[0].axisValue) + (spec.x ? ' ' + safe(spec.x) : '') + '</b>' + at.map(bar => '<div>'
        + bar.marker + safe(bar.seriesName) + ' <b>' + withUnit(bar.value, spec.unit) + '</b></div>').join('')},
      series: spec.series.map((one, i) => ({type: 'bar', name: one.name, data: one.values,
        itemStyle: {color: colour(l, i)}, ...(spec.histogram ? {barCategoryGap: '8%'} : {})}))};
  }

  const BUILD = {line: lines, heat, box: boxes, bar: bars};

  const cell = value => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };

  const csv = rows => rows.map(row => row.map(cell).join(',')).join('\n') + '\n';

  /** What a chart shows, all of it, whatever was thinned for the eye. */
  function table(spec) {
    switch (spec.type) {
      case 'line':
        return [['panel', 'line', spec.x, 'value', 'unit'], ...spec.panels.flatMap(panel =>
          panel.series.flatMap(line => Array.from(line.y, (value, k) =>
            [panel.title, line.name, spec.values[line.x][k], value, panel.unit])))];
      case 'heat':
        return [['row', 'column', 'value', 'words', 'why'], ...spec.cells.map(one =>
          [spec.rows[one.row], spec.columns[one.column], one.value, one.words, one.why])];
      case 'box':
        return [['box', 'value', 'unit'], ...spec.boxes.flatMap(box =>
          box.points.map(value => [box.label, value, spec.unit]))];
      default:
        return [[spec.x || 'category', ...spec.series.map(one => one.name)],
          ...spec.categories.map((name, k) => [name, ...spec.series.map(one => one.values[k])])];
    }
  }

  function save(name, type, text) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const fileName = (title, end) =>
    title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) + end;

  function button(box, text, label, act) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.title = label;
    made.addEventListener('click', act);
    box.append(made);
    return made;
  }

  /** Dragging chooses a part of the time, as do the keys; a double click shows all again. */
  function zoom(one, plot, status) {
    const chart = one.chart;
    const places = () => one.spec.xs.reduce((a, b) => (b.length > a.length ? b : a), []);
    const to = (from, till) =>
      chart.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, startValue: from, endValue: till});
    const all = () => chart.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, start: 0, end: 100});
    const x = px => chart.convertFromPixel({xAxisIndex: 0}, px);
    let from = null, at = 0;
    const mark = till => chart.setOption({graphic: [{id: 'drag', type: 'rect', silent: true, z: 100,
      invisible: till === null, style: {fill: '#0072b233'},
      shape: {x: Math.min(from ?? 0, till ?? 0), y: 30, width: Math.abs((till ?? 0) - (from ?? 0)),
        height: plot.clientHeight - 60}}]});
    if (matchMedia('(pointer: fine)').matches) {
      chart.getZr().on('mousedown', event => { from = event.offsetX; });
      chart.getZr().on('mousemove', event => {
        if (from !== null && Math.abs(event.offsetX - from) > 6) {
          mark(event.offsetX);
        }
      });
      chart.getZr().on('mouseup', event => {
        const start = from;
        if (start !== null && Math.abs(event.offsetX - start) > 6) {
          mark(null);
          to(Math.min(x(start), x(event.offsetX)), Math.max(x(start), x(event.offsetX)));
        }
        from = null;
      });
      chart.getZr().on('dblclick', all);
    }
    const keys = {
      ArrowRight: xs => { at = Math.min(xs.length - 1, at + 1); },
      ArrowLeft: () => { at = Math.max(0, at - 1); },
      Home: () => { at = 0; }, End: xs => { at = xs.length - 1; },
      '+': xs => to(xs[Math.max(0, at - Math.ceil(xs.length / 8))],
        xs[Math.min(xs.length - 1, at + Math.ceil(xs.length / 8))]),
      '-': all, Escape: all};
    plot.addEventListener('keydown', event => {
      const xs = places();
      if (keys[event.key] && xs.length) {
        event.preventDefault();
        keys[event.key](xs);
        chart.dispatchAction({type: 'showTip', x: chart.convertToPixel({xAxisIndex: 0}, xs[at]), y: 60});
        const tip = [...plot.children].find(child => child.matches('div:not(:first-child)'));
        status.textContent = tip ? tip.textContent : '';
      }
    });
  }

  function legend(box, chart, spec) {
    box.replaceChildren();
    const all = names(spec), l = look();
    if (all.length < 2) {
      return;
    }
    all.forEach((name, i) => {
      const made = button(box, name, 'show or hide', () => {
        const on = made.getAttribute('aria-pressed') === 'false';
        made.setAttribute('aria-pressed', on);
        chart.dispatchAction({type: on ? 'legendSelect' : 'legendUnSelect', name});
      });
      made.setAttribute('aria-pressed', 'true');
      const swatch = document.createElement('i');
      swatch.style.borderTopColor = colour(l, i);
      swatch.style.borderTopStyle = spec.type === 'bar' ? 'solid' : dash(i);
      made.prepend(swatch);
    });
  }

  const charts = [];
  window.ebbCharts = charts;

  function draw(figure) {
    const spec = read(figure);
    const plot = figure.querySelector('.plot'), tools = figure.querySelector('.tools');
    const status = figure.querySelector('[role=status]'), scale = figure.querySelector('.scale i');
    const chart = echarts.init(plot, null, {renderer: 'svg'}), tall = parseFloat(plot.style.height);
    const one = {chart, spec, figure, show() {
      plot.style.height = spec.panelHeight
        ? tall - spec.panels.length * (spec.panelHeight - panelHeight(spec)) + 'px' : plot.style.height;
      chart.resize(paper ? {width: Math.min(680, plot.clientWidth)} : {});
      chart.setOption(BUILD[spec.type](one.spec, paper ? 680 : plot.clientWidth));
      legend(figure.querySelector('.legend'), chart, one.spec);
      if (scale) {
        scale.style.background = 'linear-gradient(90deg,' + look().scale.map(css).join() + ')';
      }
    }};
    // Options are merged: when all is replaced, ECharts 6.0.0 loses the place of its tooltip.
    one.show();
    charts.push(one);
    if (spec.type === 'line') {
      zoom(one, plot, status);
      button(tools, 'All', 'show the whole range again',
        () => chart.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, start: 0, end: 100}));
      const most = Math.max(0, ...spec.panels.flatMap(p => p.series.map(s => s.y.length)));
      figure.querySelector('.note').textContent = 'Drag to zoom, double-click for all; keys: arrows, +, -.'
        + (most > MANY ? ' Up to ' + number(most) + ' points a line, thinned for the eye (LTTB) until you'
          + ' zoom in; CSV has all.' : '');
    }
    button(tools, 'CSV', 'the values of this chart',
      () => save(fileName(spec.title, '.csv'), 'text/csv', csv(table(one.spec))));
    button(tools, 'SVG', 'this picture', () => save(fileName(spec.title, '.svg'), 'image/svg+xml',
      decodeURIComponent(chart.getDataURL({type: 'svg'}).replace(/^[^,]*,/, ''))));
    new ResizeObserver(() => {
      if (!paper && !chart.isDisposed() && plot.clientWidth !== chart.getWidth()) {
        chart.resize();
        if (spec.type === 'box' || spec.type === 'heat') {
          chart.setOption(BUILD[spec.type](one.spec, plot.clientWidth));
        }
      }
    }).observe(plot);
  }

  /** Rows of a run, folded away: read only when somebody wants them. */
  function raw(details) {
    const read = () => JSON.parse(details.querySelector('script').textContent);
    const name = details.dataset.name, box = details.querySelector('p');
    button(box, 'CSV', 'all rows', () => {
      const data = read();
      save(name + '.csv', 'text/csv', csv([data.columns, ...data.rows]));
    });
    button(box, 'JSON', 'all rows', () => {
      const data = read();
      save(name + '.json', 'application/json', JSON.stringify(data.rows.map(row =>
        Object.fromEntries(row.map((value, i) => [data.columns[i], value]))), null, 1) + '\n');
    });
    details.addEventListener('toggle', () => {
      const data = read(), shown = document.createElement('table');
      const row = (values, tag) => {
        const line = document.createElement('tr');
        values.forEach(value => {
          const one = document.createElement(tag);
          one.textContent = value === null ? '\u2013' : value;
          one.className = typeof value === 'number' ? 'n' : '';
          line.append(one);
        });
        shown.append(line);
      };
      row(data.columns, 'th');
      data.rows.slice(0, 200).forEach(values => row(values, 'td'));
      details.querySelector('.scroll').replaceChildren(shown);
    }, {once: true});
  }

  function sortable(head) {
    [...head.cells].forEach((th, column) => {
      th.querySelector('button').addEventListener('click', () => {
        const down = th.getAttribute('aria-sort') === 'ascending';
        [...head.cells].forEach(other => other.removeAttribute('aria-sort'));
        th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const body = head.closest('table').tBodies[0];
        const key = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
        const order = (a, b) => {
          const one = key(a), other = key(b), difference = one - other;
          return Number.isNaN(difference) ? one.localeCompare(other, 'en', {numeric: true}) : difference;
        };
        body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * order(a, b)));
      });
    });
  }

  const within = (part, selector) =>
    [...(part.matches(selector) ? [part] : []), ...part.querySelectorAll(selector)];

  function wire(part) {
    within(part, 'figure.chart').forEach(draw);
    within(part, 'details[data-name]').forEach(raw);
    within(part, 'table.sortable thead tr').forEach(sortable);
  }

  /** What makes a chart another one than before: everything but its values. */
  const shape = spec => JSON.stringify([spec.type, spec.title, names(spec), spec.rows, spec.columns,
    (spec.panels || []).map(panel => [panel.title, panel.references.length, panel.series.length]),
    (spec.boxes || []).map(box => box.label), (spec.ranges || []).length]);

  /** Puts a part where another was; a chart of the same shape keeps its zoom and what is hidden. */
  function exchange(old, part) {
    const one = charts.find(drawn => drawn.figure === old);
    if (one && part.matches('figure.chart')) {
      const spec = read(part);
      if (shape(spec) === shape(one.spec)) {
        one.spec = spec;
        one.chart.setOption(BUILD[spec.type](spec, one.chart.getWidth()));
        return old;
      }
    }
    if (one) {
      one.chart.dispose();
      charts.splice(charts.indexOf(one), 1);
    }
    old.replaceWith(part);
    wire(part);
    part.open = old.open;
    return part;
  }

  /** A page that is served while its run goes on asks for its parts until that is over. */
  function follow(main) {
    const end = main.querySelector('noscript');
    let parts = [...main.children].slice(0, [...main.children].indexOf(end));
    let sources = parts.map(() => '');
    const take = html => {
      const fresh = [...new DOMParser().parseFromString(html, 'text/html').body.children];
      const words = fresh.map(part => part.outerHTML);
      parts.slice(fresh.length).forEach(part => {
        const at = charts.findIndex(drawn => drawn.figure === part);
        if (at >= 0) {
          charts.splice(at, 1)[0].chart.dispose();
        }
        part.remove();
      });
      parts = fresh.map((part, i) => {
        const adopted = document.adoptNode(part);
        if (!parts[i]) {
          end.before(adopted);
          wire(adopted);
          return adopted;
        }
        return sources[i] === words[i] ? parts[i] : exchange(parts[i], adopted);
      });
      sources = words;
    };
    const ask = async () => {
      const began = performance.now();
      try {
        const answer = await fetch('parts', {cache: 'no-store'});
        if (answer.ok) {
          take(await answer.text());
        }
        if (answer.headers.get('Ebb-Run') === 'over') {
          document.documentElement.dataset.live = 'over';
          return;
        }
      } catch (gone) {
        const note = document.createElement('p');
        note.className = 'warning';
        note.textContent = 'The run is not served any more: this is what came last.';
        end.before(note);
        document.documentElement.dataset.live = 'gone';
        return;
      }
      setTimeout(ask, Math.min(2000, Math.max(1000, 10 * (performance.now() - began))));
    };
    ask();
  }

  wire(document.body);
  if (document.documentElement.dataset.live) {
    follow(document.querySelector('main'));
  }
  const again = () => charts.forEach(one => one.show());
  media.addEventListener('change', again);
  addEventListener('beforeprint', () => { paper = true; again(); });
  addEventListener('afterprint', () => { paper = false; again(); });
})();
