% The pendulum of models/pendulum.toml, for 10 s; the first second is pushed. In the root of the repository, with pintle_mex on the path:
%   octave-cli --path target/matlab matlab_examples/pendulum.m
names = pintle_mex('load', 'models/pendulum.toml');
x = find(strcmp(names, 'ball.pos.x'));
z = find(strcmp(names, 'ball.pos.z'));
values = pintle_mex('step', 0.01, 1000);
fprintf('after 10 s: x %.4f m, z %.4f m\n', values(end, x), values(end, z));
pintle_mex('load_on_body', 'ball', [0 0 9.81 0 0 0]);
values = pintle_mex('step', 0.01, 100);
fprintf('and 1 s without weight: x %.4f m, z %.4f m\n', values(end, x), values(end, z));
try
    pintle_mex('load_on_body', 'bal', zeros(1, 6));
catch failure
    disp(failure.message);
end
pintle_mex('close');
