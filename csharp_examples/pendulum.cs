/*
 * A pendulum in C#, by P/Invoke: a body of 1 kg on a hinge at the origin, 1 m from its centre of mass, released from the horizontal.
 *
 * Compile and run in the root of the repository, after cargo build --release, with Mono:
 *   mcs -out:target/pendulum.exe csharp_examples/pendulum.cs && LD_LIBRARY_PATH=target/release mono target/pendulum.exe
 */
using System;
using System.Runtime.InteropServices;
using System.Text;

static class Native
{
    // The name without "lib" and ".so": the runtime adds what the system has.
    const string Library = "pintle";

    [DllImport(Library)] public static extern int pintle_create(out IntPtr system);
    [DllImport(Library)] public static extern int pintle_destroy(ref IntPtr system);
    [DllImport(Library)] public static extern int pintle_set_gravity(IntPtr system, double[] gravity);
    [DllImport(Library)] public static extern int pintle_add_rigid_body(
        IntPtr system, double mass, double[] com, double[] inertia, double[] pose, out int id);
    [DllImport(Library)] public static extern int pintle_add_joint_at(
        IntPtr system, int kind, int a, int b, double[] point, double[] axis, out int id);
    [DllImport(Library)] public static extern int pintle_initialize(IntPtr system, double time);
    [DllImport(Library)] public static extern int pintle_step(IntPtr system, double step);
    [DllImport(Library)] public static extern int pintle_get_body_pose(IntPtr system, int id, [Out] double[] pose);
    [DllImport(Library)] public static extern int pintle_error_message(IntPtr system, int cap, [Out] byte[] text, IntPtr length);
}

static class Pendulum
{
    const int Ground = -1, Revolute = 2;

    static int Main()
    {
        IntPtr system;
        int body = 0, joint, status = Native.pintle_create(out system);
        double[] pose = {1, 0, 0, 1, 0, 0, 0};
        if (status == 0) status = Native.pintle_set_gravity(system, new double[] {0, 0, -9.81});
        if (status == 0)
            status = Native.pintle_add_rigid_body(system, 1.0, new double[3], new double[] {0.1, 0.1, 0.1, 0, 0, 0}, pose, out body);
        if (status == 0)
            status = Native.pintle_add_joint_at(system, Revolute, Ground, body, new double[3], new double[] {0, 1, 0}, out joint);
        if (status == 0) status = Native.pintle_initialize(system, 0.0);
        for (int n = 0; n < 1000 && status == 0; n++) status = Native.pintle_step(system, 0.01);
        if (status == 0) status = Native.pintle_get_body_pose(system, body, pose);
        if (status != 0)
        {
            var text = new byte[512];
            Native.pintle_error_message(system, text.Length, text, IntPtr.Zero);
            Console.Error.WriteLine(Encoding.UTF8.GetString(text).TrimEnd('\0'));
        }
        var c = System.Globalization.CultureInfo.InvariantCulture;
        Console.WriteLine(string.Format(c, "after 10 s: x {0:F4} m, z {1:F4} m", pose[0], pose[2]));
        Native.pintle_destroy(ref system);
        return status == 0 ? 0 : 1;
    }
}
